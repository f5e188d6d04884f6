/** The environment, parsed once into one frozen object. A wrong value stops the start with a sentence that names it. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isCurrencyCode } from './catalogue/money.ts';
import type { TrustedDocuments } from './graphql/use-trusted-documents.ts';

/** An empty variable is an unset one, as shells and compose files make them. */
const unsetWhenEmpty = (value: unknown) => (value === '' ? undefined : value);
const optional = <Type extends z.ZodType>(type: Type) => z.preprocess(unsetWhenEmpty, type.optional());

const perMinute = (fallback: number) =>
  z.preprocess(unsetWhenEmpty, z.coerce.number().int().min(1).max(1_000_000).default(fallback));
const url = (protocols: RegExp, example: string) =>
  optional(z.url({ protocol: protocols, error: `must be a URL such as ${example}` }));

/** The file that GraphQL code generators write beside a client: documents by their hashes. */
const documentsFile = z.string().transform((path, context) => {
  try {
    const documents = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(path, 'utf8')));
    return new Map(Object.entries(documents).map(([hash, document]) => [hash.replace(/^sha256:/, ''), document]));
  } catch {
    context.addIssue({
      code: 'custom',
      message: `must be a readable JSON file of documents by their hashes, {"<sha256>": "query …"}; ${path} is not`,
    });
    return z.NEVER;
  }
});

/** Where products are shown: an address with `{slug}`, `{id}` or both. */
const productUrlTemplate = z.string().refine(
  (template) => {
    const filled = template.replaceAll(/\{(slug|id)\}/g, 'a');
    return filled !== template && !/[{}\s]/.test(filled) && /^https?:\/\//.test(template) && URL.canParse(filled);
  },
  {
    error: 'must be a URL with {slug}, {id} or both where they go, such as https://shop.example/p/{slug}?id={id}',
  },
);

const Environment = z.object({
  PORT: z.preprocess(unsetWhenEmpty, z.coerce.number().int().min(0).max(65_535).default(4000)),
  HOST: z.preprocess(unsetWhenEmpty, z.string().default('127.0.0.1')),
  METRICS_PORT: optional(z.coerce.number().int().min(0).max(65_535)),
  PUBLIC_URL: url(/^https?$/, 'https://api.example.com'),
  PRODUCT_URL_TEMPLATE: optional(productUrlTemplate),
  DATABASE_URL: url(/^postgres(ql)?$/, 'postgresql://user@host:5432/name'),
  DATA_DIR: z.preprocess(unsetWhenEmpty, z.string().default('.data')),
  REDIS_URL: url(/^rediss?$/, 'redis://host:6379'),
  MARKET_CURRENCY: z.preprocess(
    unsetWhenEmpty,
    z.string().default('EUR').refine(isCurrencyCode, 'must be an ISO 4217 code in capitals, such as EUR'),
  ),
  MARKET_COUNTRY: z.preprocess(
    unsetWhenEmpty,
    z
      .string()
      .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 code of two capitals, such as DE')
      .default('DE'),
  ),
  CORS_ORIGINS: z.preprocess(
    unsetWhenEmpty,
    z
      .string()
      .default('*')
      .transform(splitList)
      .pipe(
        z.array(
          z.union([z.literal('*'), z.string().regex(/^https?:\/\/[^/\s]+$/)], {
            error: 'must be * or origins separated by commas, such as https://shop.example,https://app.example',
          }),
        ),
      ),
  ),
  TRUSTED_DOCUMENTS: optional(documentsFile),
  TRUSTED_DOCUMENTS_ONLY: z.preprocess(
    unsetWhenEmpty,
    z
      .enum(['true', 'false'], { error: 'must be true or false' })
      .default('false')
      .transform((value) => value === 'true'),
  ),
  ANSWER_CACHE_MB: z.preprocess(unsetWhenEmpty, z.coerce.number().int().min(0).max(65_536).default(64)),
  LOG_LEVEL: z.preprocess(
    unsetWhenEmpty,
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ),
  NODE_ENV: z.string().optional(),
  RATE_LIMIT_FREE: perMinute(10),
  RATE_LIMIT_STARTER: perMinute(60),
  RATE_LIMIT_PRO: perMinute(600),
  RATE_LIMIT_ENTERPRISE: perMinute(6000),
});

/** The names of all environment variables that the service reads. */
export const ENVIRONMENT_VARIABLES = Object.keys(Environment.shape);

/** What the operator has set, with the defaults filled in. */
export interface Config {
  port: number;
  host: string;
  /** The port that serves the metrics, where they are wanted. */
  metricsPort: number | undefined;
  /** The address that links in answers begin with, without a slash at the end; by default the listening address. */
  publicUrl: string | undefined;
  /** Where products are shown, with `{slug}` and `{id}` where they go; by default the pages of this service. */
  productUrlTemplate: string | undefined;
  databaseUrl: string | undefined;
  dataDir: string;
  redisUrl: string | undefined;
  /** Prices' currency, ISO 4217. */
  marketCurrency: string;
  /** The country whose shipping costs count, ISO 3166-1 alpha-2. */
  marketCountry: string;
  /** Origins whose browsers may read answers; `*` for all. */
  corsOrigins: readonly string[];
  /** GraphQL documents that clients may name by their hashes, where there are any. */
  trustedDocuments: TrustedDocuments;
  /** How much memory kept answers may take; 0 keeps nothing of the catalogue between requests. */
  answerCacheMegabytes: number;
  logLevel: string;
  isProduction: boolean;
  /** Requests a minute for each plan; a key may have its own. */
  rateLimits: Readonly<Record<'free' | 'starter' | 'pro' | 'enterprise', number>>;
}

/** The environment is wrong; the message names each variable and says what it must be. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly faults: readonly { variable: string; message: string }[];

  /** @param faults the variables that are wrong, where single ones are, and what each must be. */
  constructor(message: string, faults: ConfigError['faults'] = []) {
    super(message);
    this.faults = faults;
  }
}

/**
 * Reads the configuration.
 *
 * @throws {ConfigError} when a variable has a value that cannot be used.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const parsed = Environment.safeParse(environment);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => ({ variable: String(path[0]), message }));
    const sentences = faults.map(({ variable, message }) => `${variable}: ${message}`);
    throw new ConfigError(`The environment cannot be used. ${[...new Set(sentences)].join('. ')}.`, faults);
  }
  const values = parsed.data;
  if (values.TRUSTED_DOCUMENTS_ONLY && !values.TRUSTED_DOCUMENTS) {
    throw new ConfigError(
      'The environment cannot be used. TRUSTED_DOCUMENTS_ONLY: refuses everything without TRUSTED_DOCUMENTS; set both.',
    );
  }
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    metricsPort: values.METRICS_PORT,
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, ''),
    productUrlTemplate: values.PRODUCT_URL_TEMPLATE,
    databaseUrl: values.DATABASE_URL,
    dataDir: values.DATA_DIR,
    redisUrl: values.REDIS_URL,
    marketCurrency: values.MARKET_CURRENCY,
    marketCountry: values.MARKET_COUNTRY,
    corsOrigins: values.CORS_ORIGINS,
    trustedDocuments: {
      documents: new Map(values.TRUSTED_DOCUMENTS),
      isOnly: values.TRUSTED_DOCUMENTS_ONLY,
    },
    answerCacheMegabytes: values.ANSWER_CACHE_MB,
    logLevel: values.LOG_LEVEL,
    isProduction: values.NODE_ENV === 'production',
    rateLimits: {
      free: values.RATE_LIMIT_FREE,
      starter: values.RATE_LIMIT_STARTER,
      pro: values.RATE_LIMIT_PRO,
      enterprise: values.RATE_LIMIT_ENTERPRISE,
    },
  });
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim().replace(/\/$/, ''))
    .filter(Boolean);
}
