/** Checks the environment variables, and finds names that look like misspelled ones. */
import { distance } from 'fastest-levenshtein';
import { type Config, ConfigError, ENVIRONMENT_VARIABLES, readConfig } from '../../config.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Reads the environment, leaving out invalid variables, whose names are in `faulty`. */
export function examineEnvironment(environment: NodeJS.ProcessEnv): {
  config: Config;
  faulty: ReadonlySet<string>;
  findings: Finding[];
} {
  const faults: ConfigError['faults'][number][] = [];
  let usable = environment;
  // Conflicts between variables only show once each variable is valid by itself.
  for (let found = faultsOf(usable); found.length > 0; found = faultsOf(usable)) {
    faults.push(...found);
    const names = found.map(({ variable }) => variable);
    usable = Object.fromEntries(Object.entries(usable).filter(([name]) => !names.includes(name)));
  }
  const faulty = new Set(faults.map(({ variable }) => variable));
  const config = readConfig(usable);
  const set = ENVIRONMENT_VARIABLES.filter((name) => environment[name] && !faulty.has(name));
  return {
    config,
    faulty,
    findings: [
      ...(faults.length > 0
        ? []
        : [ok('configuration', set.length === 0 ? 'all defaults' : `${set.join(', ')} set, the rest defaults`)]),
      ok(
        'market',
        `${config.marketCountry}, ${config.marketCurrency}; times without a zone are in ${config.marketTimeZone}`,
      ),
      ...faults.map(({ variable, message }) =>
        problem(variable, message, `Set ${variable} to a value allowed by docs/configuration.md, or unset it.`),
      ),
      ...misspelled(environment),
      ...examineMode(environment),
    ],
  };
}

function faultsOf(environment: NodeJS.ProcessEnv) {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults;
  }
}

/** Warns about variables that the service does not read but that were probably meant for it. */
function misspelled(environment: NodeJS.ProcessEnv): Finding[] {
  const plain = (name: string) => name.toUpperCase().replace(/^PDA_/, '').replaceAll(/[-_]/g, '');
  return Object.keys(environment)
    .filter((name) => !ENVIRONMENT_VARIABLES.includes(name))
    .flatMap((name) => {
      const meant = ENVIRONMENT_VARIABLES.find((ours) => {
        // Short names are often similar without being related, as PATH and PORT are.
        const most = ours.length < 6 ? 0 : ours.length < 9 ? 1 : 2;
        return distance(plain(name), plain(ours)) <= most;
      });
      return meant
        ? [warning(name, `is not read; ${meant} is`, `Rename ${name} to ${meant} if it was meant for this service.`)]
        : [];
    });
}

function examineMode({ NODE_ENV: mode }: NodeJS.ProcessEnv): Finding[] {
  if (!mode || mode === 'production' || !/^prod/i.test(mode)) return [];
  return [warning('NODE_ENV', `${mode} does not count as production`, 'Set NODE_ENV to exactly `production`.')];
}

/** Checks that clients can reach the address used in links. */
export function examinePublicUrl({ publicUrl, host, isProduction }: Config): Finding {
  const isLocal = (name: string) => /^(localhost|127\.|\[?::1\]?$|0\.0\.0\.0|\[?::\]?$)/.test(name);
  const name = 'public address';
  if (publicUrl === undefined) {
    const says = 'PUBLIC_URL is unset, so links in responses use the listening address';
    if (isLocal(host) && host !== '0.0.0.0' && host !== '::' && !isProduction) return ok(name, says);
    return warning(name, says, 'Set PUBLIC_URL to the address that clients use, such as https://api.example.com.');
  }
  const { protocol, hostname, search, hash, username } = new URL(publicUrl);
  if (search || hash || username) {
    const remedy = 'Remove user name, query and fragment from PUBLIC_URL.';
    return problem(name, 'PUBLIC_URL contains more than an address and a path', remedy);
  }
  if (isLocal(hostname) && isProduction) {
    const remedy = 'Set PUBLIC_URL to the address that clients use.';
    return warning(name, `${publicUrl} points clients to their own machine`, remedy);
  }
  if (protocol === 'http:' && !isLocal(hostname)) {
    return warning(name, `${publicUrl} sends keys unencrypted`, 'Serve it over https, and use https in PUBLIC_URL.');
  }
  return ok(name, publicUrl);
}
