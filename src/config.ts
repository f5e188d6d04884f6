/** Parses the environment once into one frozen object. An invalid value stops the start with a message that names the variable. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { PLANS, type PlanId } from './access/plans.ts';
import type { Market } from './catalogue/market.ts';
import type { ConsoleAccess } from './console/sessions.ts';
import { readHosts } from './database/hosts.ts';
import { LEAST_SECRET } from './database/vault.ts';
import { canTrust, type TrustedProxies } from './http/client-address.ts';
import type { TraceSettings } from './operations/tracing.ts';
import { addressOf } from './values/http-address.ts';
import { isCurrencyCode } from './values/money.ts';
import { isTimeZone, timeZoneOf } from './values/time-zone.ts';

const number = (least: number, most: number, kind = 'number') => {
  const error = `must be a ${kind} from ${least} to ${most}`;
  return z.coerce.number({ error }).min(least, { error }).max(most, { error });
};
const integer = (least: number, most: number) => {
  const kind = 'whole number';
  return number(least, most, kind).int({ error: `must be a ${kind} from ${least} to ${most}` });
};
const perMinute = (fallback: number, least = 1) => integer(least, 1_000_000).default(fallback);

const oneOf = <const Choice extends string>(...choices: Choice[]) =>
  z.enum(choices, { error: `must be ${choices.join(' or ')}` });
const boolean = oneOf('true', 'false')
  .default('false')
  .transform((value) => value === 'true');

type PlanVariable = `RATE_LIMIT_${Uppercase<PlanId>}`;
const planVariable = (id: PlanId) => `RATE_LIMIT_${id.toUpperCase()}` as PlanVariable;
const planLimits = Object.fromEntries(
  PLANS.map(({ id, requestsPerMinute }) => [planVariable(id), perMinute(requestsPerMinute)]),
) as Record<PlanVariable, ReturnType<typeof perMinute>>;

const splitList = (text: string, clean = (item: string) => item) =>
  text
    .split(',')
    .map((item) => clean(item.trim()))
    .filter(Boolean);
const withoutSlash = (text: string) => text.replace(/\/$/, '');

const url = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `must be a URL such as ${example}` }).optional();

/** URLs separated by commas. */
const urls = (protocol: RegExp, example: string) =>
  z
    .string()
    .default('')
    .transform((text) => splitList(text))
    .pipe(z.array(z.url({ protocol, error: `must be URLs separated by commas, such as ${example}` })));

/** The URL of one server, or of several in libpq's notation. */
const databaseUrl = z.string().refine((text) => readHosts(text) !== undefined, {
  error: 'must be a URL such as postgresql://user@host:5432/name, or name several servers: user@one:5432,two:5432',
});

/** The file of documents by hash that GraphQL code generators write for a client. */
const documentsFile = z.string().transform((path, context) => {
  try {
    const documents = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(path, 'utf8')));
    return new Map(Object.entries(documents).map(([hash, document]) => [hash.replace(/^sha256:/, ''), document]));
  } catch {
    context.addIssue({
      code: 'custom',
      message: `must name a readable JSON file of documents by hash, {"<sha256>": "query …"}; got ${path}`,
    });
    return z.NEVER;
  }
});

/** The URL of product pages, with the placeholders `{slug}`, `{id}` or both. */
const productUrlTemplate = z.string().refine(
  (template) => {
    const filled = template.replaceAll(/\{(slug|id)\}/g, 'a');
    return filled !== template && !/[{}\s]/.test(filled) && /^https?:\/\//.test(template) && URL.canParse(filled);
  },
  {
    error: 'must be a URL that contains {slug}, {id} or both, such as https://shop.example/p/{slug}?id={id}',
  },
);

/** The number of proxies in front of the service, or their addresses. */
const trustedProxies = z.string().transform((text, context): TrustedProxies => {
  if (/^\d+$/.test(text) && Number(text) <= 10) return Number(text);
  const networks = splitList(text, withoutSlash);
  if (!/^\d+$/.test(text) && canTrust(networks)) return networks;
  context.addIssue({
    code: 'custom',
    message:
      'must be the number of proxies in front of the service, such as 1, or their addresses, such as 10.0.0.0/8,loopback',
  });
  return z.NEVER;
});

const currency = z.string().refine(isCurrencyCode, 'must be an ISO 4217 code in capitals, such as EUR');
const country = z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 code of two capitals, such as DE');
const timeZone = z
  .string()
  .refine(isTimeZone, 'must be a time zone by its name in the IANA database, such as Europe/Berlin');

const origin = z.string().regex(/^(\*|https?:\/\/[^/\s]+)$/, {
  error: 'must be * or origins separated by commas, such as https://shop.example,https://app.example',
});
const origins = z
  .string()
  .default('*')
  .transform((text) => splitList(text, withoutSlash))
  .pipe(z.array(origin));

/** The most workers: far more than there are cores, so that only a mistake exceeds it. */
const MOST_WORKERS = 256;

const workers = z
  .string()
  .refine((text) => text === 'auto' || (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_WORKERS), {
    error: `must be a whole number from 1 to ${MOST_WORKERS}, or auto for one per core`,
  });

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'];

const Environment = z.object({
  CONSOLE: oneOf('on', 'off').optional(),
  PORT: integer(0, 65_535).default(4000),
  HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: integer(0, 65_535).optional(),
  WORKERS: workers.default('1'),
  PUBLIC_URL: url(/^https?$/, 'https://api.example.com'),
  PRODUCT_URL_TEMPLATE: productUrlTemplate.optional(),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URLS: urls(/^postgres(ql)?$/, 'postgresql://user@replica:5432/name'),
  DATA_DIR: z.string().default('.data'),
  REDIS_URL: urls(/^rediss?$/, 'redis://host:6379'),
  REDIS_CLUSTER: boolean,
  MARKET_CURRENCY: currency.default('EUR'),
  MARKET_COUNTRY: country.default('DE'),
  MARKET_TIME_ZONE: timeZone.optional(),
  CORS_ORIGINS: origins,
  TRUSTED_DOCUMENTS: documentsFile.optional(),
  TRUSTED_DOCUMENTS_ONLY: boolean,
  TARGET_LATENCY_MS: integer(0, 60_000).default(80),
  MAX_CONCURRENT_REQUESTS: integer(1, 100_000).default(2_000),
  GRAPHQL_INTROSPECTION: oneOf('on', 'off').default('on'),
  ANSWER_CACHE_MB: integer(0, 65_536).default(64),
  CHANGES_DAYS: integer(1, 3_650).default(30),
  SECRET_KEY: z
    .string()
    .min(LEAST_SECRET, { error: `must be a random text of at least ${LEAST_SECRET} characters` })
    .optional(),
  SECRET_KEY_FORMER: z.string().optional(),
  FEEDS: oneOf('on', 'off').default('on'),
  FEEDS_DATABASE_URL: databaseUrl.optional(),
  FEED_LEASE_SECONDS: number(1, 3_600).default(60),
  FEED_DOWNLOAD_SECONDS: integer(1, 86_400).default(1_800),
  DRAIN_DELAY_SECONDS: number(0, 300).default(1),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  SLOW_QUERY_MS: integer(0, 600_000).default(500),
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_EXPORTER: oneOf('otlp', 'console', 'none').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?$/, 'http://collector:4318'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url(/^https?$/, 'http://collector:4318/v1/traces'),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf('http/protobuf', 'http/json').default('http/protobuf'),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_TRACES_SAMPLER: oneOf(...SAMPLERS, ...SAMPLERS.map((name) => `parentbased_${name}` as const)).optional(),
  OTEL_TRACES_SAMPLER_ARG: number(0, 1).optional(),
  NODE_ENV: z.string().optional(),
  WEBHOOKS_ALLOW_PRIVATE: boolean,
  DEMO_KEY: oneOf('on', 'off').default('on'),
  ...planLimits,
  RATE_LIMIT_PUBLIC: perMinute(600, 0),
  RATE_LIMIT_WRONG_KEYS: perMinute(20, 0),
  TRUST_PROXY: z.string().default('0').pipe(trustedProxies),
});

/** The names of all environment variables that the service reads. */
export const ENVIRONMENT_VARIABLES = Object.keys(Environment.shape);

/** The operator's settings, with defaults filled in. */
export type Config = ReturnType<typeof readConfig>;

/** The market of the deployment. */
export const marketOf = (config: Config): Market => ({
  currency: config.marketCurrency,
  country: config.marketCountry,
  timeZone: config.marketTimeZone,
  productUrlTemplate: config.productUrlTemplate,
  publicUrl: config.publicUrl ?? addressOf(config.host, config.port),
});

/** The environment is invalid; the message names each variable and its valid values. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly faults: readonly { variable: string; message: string }[];

  /** @param faults the invalid variables, each with its valid values. */
  constructor(faults: ConfigError['faults']) {
    const sentences = faults.map(({ variable, message }) => `${variable}: ${message}`);
    super(`The configuration is invalid. ${[...new Set(sentences)].join('. ')}.`);
    this.faults = faults;
  }
}

/** Reads the configuration. @throws {ConfigError} when a variable has an invalid value. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  // Shells and compose files often set variables to the empty string; it counts as unset.
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(set);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map(({ path, message }) => ({ variable: String(path[0]), message })));
  }
  const values = parsed.data;
  if (values.TRUSTED_DOCUMENTS_ONLY && !values.TRUSTED_DOCUMENTS) {
    throw fault('TRUSTED_DOCUMENTS_ONLY', 'refuses every document without TRUSTED_DOCUMENTS; set both');
  }
  if (values.DATABASE_REPLICA_URLS.length > 0 && values.DATABASE_URL === undefined) {
    throw fault('DATABASE_REPLICA_URLS', 'must be replicas of the database at DATABASE_URL; set both');
  }
  if (values.REDIS_CLUSTER && values.REDIS_URL.length === 0) {
    throw fault('REDIS_CLUSTER', 'has no effect without REDIS_URL; set both');
  }
  if (values.FEEDS_DATABASE_URL !== undefined && values.DATABASE_URL === undefined) {
    throw fault('FEEDS_DATABASE_URL', 'must be the database at DATABASE_URL under another role; set both');
  }
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    /** The port that serves the metrics; `undefined` to serve none. */
    metricsPort: values.METRICS_PORT,
    /** The number of processes that answer requests. */
    workers: { count: values.WORKERS === 'auto' ? availableParallelism() : Number(values.WORKERS) },
    /** The base URL of links in answers, without a trailing slash; the listening address by default. */
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, ''),
    /** The URL of product pages, with the placeholders `{slug}` and `{id}`; the pages of this service by default. */
    productUrlTemplate: values.PRODUCT_URL_TEMPLATE,
    databaseUrl: values.DATABASE_URL,
    /** Replicas of that database, which serve reads of the catalogue. */
    databaseReplicaUrls: values.DATABASE_REPLICA_URLS,
    dataDir: values.DATA_DIR,
    /** The Redis server, or nodes of a cluster, through which instances share rate limits; `undefined` to share none. */
    redis:
      values.REDIS_URL.length === 0
        ? undefined
        : { urls: values.REDIS_URL, isCluster: values.REDIS_CLUSTER || values.REDIS_URL.length > 1 },
    /** The currency of all prices, ISO 4217. */
    marketCurrency: values.MARKET_CURRENCY,
    /** The country whose shipping costs count, ISO 3166-1 alpha-2. */
    marketCountry: values.MARKET_COUNTRY,
    /** The zone of times in feeds that name none, by its name in the IANA database. */
    marketTimeZone: values.MARKET_TIME_ZONE ?? timeZoneOf(values.MARKET_COUNTRY),
    /** Origins whose browsers may read answers; `*` for all. */
    corsOrigins: values.CORS_ORIGINS,
    /** GraphQL documents that clients may refer to by hash. */
    trustedDocuments: { documents: new Map(values.TRUSTED_DOCUMENTS), isOnly: values.TRUSTED_DOCUMENTS_ONLY },
    /** The average time of a request, in milliseconds, above which additional requests are refused; 0 for no such limit. */
    targetLatencyMs: values.TARGET_LATENCY_MS,
    /** The most requests that are processed at once. */
    maxConcurrentRequests: values.MAX_CONCURRENT_REQUESTS,
    /** Who may open the console. */
    console: consoleOf(values),
    hasIntrospection: values.GRAPHQL_INTROSPECTION === 'on',
    /** The memory limit of cached answers; 0 caches nothing of the catalogue between requests. */
    answerCacheMegabytes: values.ANSWER_CACHE_MB,
    changesDays: values.CHANGES_DAYS,
    /** Encrypts what the service must be able to read again: headers, addresses and reports of feeds, and secrets of webhooks. */
    secretKey: values.SECRET_KEY,
    /** The key that it has replaced, until all is encrypted anew. */
    formerSecretKey: values.SECRET_KEY_FORMER,
    /** Whether this gateway pulls scheduled feeds. */
    areFeedsPulled: values.FEEDS === 'on',
    /** The database as the role that imports, for pulling feeds. */
    feedsDatabaseUrl: values.FEEDS_DATABASE_URL,
    /** How long a pull that is not heard of keeps its feed from other gateways. */
    feedLeaseSeconds: values.FEED_LEASE_SECONDS,
    /** The longest time of the download of a scheduled feed. */
    feedDownloadSeconds: values.FEED_DOWNLOAD_SECONDS,
    /** How long a stopping server keeps serving, so that load balancers and clients can move to another one. */
    drainDelaySeconds: values.DRAIN_DELAY_SECONDS,
    logLevel: values.LOG_LEVEL,
    /** Statements that take at least this many milliseconds are logged as slow; 0 logs none. */
    slowQueryMs: values.SLOW_QUERY_MS,
    /** How traces are exported; `undefined` to export none. */
    traces: traceSettings(values),
    /** Whether webhooks may lead to private addresses, over plain http and to any port. */
    arePrivateWebhooksAllowed: values.WEBHOOKS_ALLOW_PRIVATE,
    /** Whether the front page of a demo has a public key, and this key is valid. */
    hasDemoKey: values.DEMO_KEY === 'on',
    isProduction: values.NODE_ENV === 'production',
    /** Unmetered requests a minute that an address may make; 0 for any number. */
    publicRequestsPerMinute: values.RATE_LIMIT_PUBLIC,
    /** Unknown keys a minute that an address may send; 0 for any number. */
    wrongKeysPerMinute: values.RATE_LIMIT_WRONG_KEYS,
    /** The proxies whose `X-Forwarded-For` is trusted. */
    trustedProxies: values.TRUST_PROXY,
    /** Requests a minute for each plan; a key may have its own limit. */
    rateLimits: Object.fromEntries(PLANS.map(({ id }) => [id, values[planVariable(id)]])) as Record<PlanId, number>,
  });
}

/** The console of the demo, which nobody has configured and no other machine can reach, is open on this machine. */
function consoleOf(values: z.infer<typeof Environment>): ConsoleAccess {
  if (values.CONSOLE !== undefined) return values.CONSOLE;
  const isPublic = values.PUBLIC_URL !== undefined || values.TRUST_PROXY !== 0;
  return values.DATABASE_URL !== undefined || values.NODE_ENV === 'production' || isPublic ? 'off' : 'local';
}

const fault = (variable: string, message: string) => new ConfigError([{ variable, message }]);

/** Reads OpenTelemetry's own variables. An endpoint is enough to enable the OTLP exporter. */
function traceSettings(values: z.infer<typeof Environment>): TraceSettings | undefined {
  const isAddressed = (values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? values.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined;
  const exporter = values.OTEL_TRACES_EXPORTER ?? (isAddressed ? 'otlp' : 'none');
  if (exporter === 'none' || values.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined;
  return { exporter, protocol: values.OTEL_EXPORTER_OTLP_PROTOCOL };
}
