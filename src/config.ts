/** Parses the environment once into one frozen object. An invalid value stops the start with a message that names the variable. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { PLANS, type PlanId } from './access/plans.ts';
import { readHosts } from './database/hosts.ts';
import type { TrustedDocuments } from './graphql/use-trusted-documents.ts';
import { canTrust, type TrustedProxies } from './http/client-address.ts';
import type { TraceSettings } from './operations/tracing.ts';
import { isCurrencyCode } from './values/money.ts';

/** Shells and compose files often set variables to the empty string; it counts as unset. */
const unsetWhenEmpty = (value: unknown) => (value === '' ? undefined : value);
const optional = <Type extends z.ZodType>(type: Type) => z.preprocess(unsetWhenEmpty, type.optional());

const perMinute = (fallback: number, least = 1) =>
  z.preprocess(unsetWhenEmpty, z.coerce.number().int().min(least).max(1_000_000).default(fallback));

type PlanVariable = `RATE_LIMIT_${Uppercase<PlanId>}`;
const planVariable = (id: PlanId) => `RATE_LIMIT_${id.toUpperCase()}` as PlanVariable;
const planLimits = Object.fromEntries(
  PLANS.map(({ id, requestsPerMinute }) => [planVariable(id), perMinute(requestsPerMinute)]),
) as Record<PlanVariable, ReturnType<typeof perMinute>>;

const url = (protocols: RegExp, example: string) =>
  optional(z.url({ protocol: protocols, error: `must be a URL such as ${example}` }));

/** The URL of one server, or of several in libpq's notation. */
const databaseUrl = z.string().refine((text) => readHosts(text) !== undefined, {
  error: 'must be a URL such as postgresql://user@host:5432/name, or name several servers: user@one:5432,two:5432',
});

/** URLs separated by commas. */
const urls = (protocols: RegExp, example: string) =>
  z.preprocess(
    unsetWhenEmpty,
    z
      .string()
      .default('')
      .transform((text) =>
        text
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      )
      .pipe(z.array(z.url({ protocol: protocols, error: `must be URLs separated by commas, such as ${example}` }))),
  );

const boolean = z.preprocess(
  unsetWhenEmpty,
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((value) => value === 'true'),
);

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
  const networks = splitList(text);
  if (!/^\d+$/.test(text) && canTrust(networks)) return networks;
  context.addIssue({
    code: 'custom',
    message:
      'must be the number of proxies in front of the service, such as 1, or their addresses, such as 10.0.0.0/8,loopback',
  });
  return z.NEVER;
});

const Environment = z.object({
  PORT: z.preprocess(unsetWhenEmpty, z.coerce.number().int().min(0).max(65_535).default(4000)),
  HOST: z.preprocess(unsetWhenEmpty, z.string().default('127.0.0.1')),
  METRICS_PORT: optional(z.coerce.number().int().min(0).max(65_535)),
  PUBLIC_URL: url(/^https?$/, 'https://api.example.com'),
  PRODUCT_URL_TEMPLATE: optional(productUrlTemplate),
  DATABASE_URL: optional(databaseUrl),
  DATABASE_REPLICA_URLS: urls(/^postgres(ql)?$/, 'postgresql://user@replica:5432/name'),
  DATA_DIR: z.preprocess(unsetWhenEmpty, z.string().default('.data')),
  REDIS_URL: urls(/^rediss?$/, 'redis://host:6379'),
  REDIS_CLUSTER: boolean,
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
  TRUSTED_DOCUMENTS_ONLY: boolean,
  TARGET_LATENCY_MS: z.preprocess(unsetWhenEmpty, z.coerce.number().int().min(0).max(60_000).default(80)),
  MAX_CONCURRENT_REQUESTS: z.preprocess(unsetWhenEmpty, z.coerce.number().int().min(1).max(100_000).default(2_000)),
  GRAPHQL_INTROSPECTION: z.preprocess(
    unsetWhenEmpty,
    z
      .enum(['on', 'off'], { error: 'must be on or off' })
      .default('on')
      .transform((value) => value === 'on'),
  ),
  ANSWER_CACHE_MB: z.preprocess(unsetWhenEmpty, z.coerce.number().int().min(0).max(65_536).default(64)),
  DRAIN_DELAY_SECONDS: z.preprocess(unsetWhenEmpty, z.coerce.number().min(0).max(300).default(1)),
  LOG_LEVEL: z.preprocess(
    unsetWhenEmpty,
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ),
  SLOW_QUERY_MS: z.preprocess(unsetWhenEmpty, z.coerce.number().int().min(0).max(600_000).default(500)),
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_EXPORTER: optional(z.enum(['otlp', 'console', 'none'])),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?$/, 'http://collector:4318'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url(/^https?$/, 'http://collector:4318/v1/traces'),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.preprocess(
    unsetWhenEmpty,
    z.enum(['http/protobuf', 'http/json'], { error: 'must be http/protobuf or http/json' }).default('http/protobuf'),
  ),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_TRACES_SAMPLER: optional(
    z.enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ]),
  ),
  OTEL_TRACES_SAMPLER_ARG: optional(z.coerce.number().min(0).max(1)),
  NODE_ENV: z.string().optional(),
  ...planLimits,
  RATE_LIMIT_PUBLIC: perMinute(600, 0),
  RATE_LIMIT_WRONG_KEYS: perMinute(20, 0),
  TRUST_PROXY: z.preprocess((value) => unsetWhenEmpty(value) ?? '0', trustedProxies),
});

/** The names of all environment variables that the service reads. */
export const ENVIRONMENT_VARIABLES = Object.keys(Environment.shape);

/** The operator's settings, with defaults filled in. */
export interface Config {
  port: number;
  host: string;
  /** The port that serves the metrics; `undefined` to serve none. */
  metricsPort: number | undefined;
  /** The base URL of links in answers, without a trailing slash; the listening address by default. */
  publicUrl: string | undefined;
  /** The URL of product pages, with the placeholders `{slug}` and `{id}`; the pages of this service by default. */
  productUrlTemplate: string | undefined;
  databaseUrl: string | undefined;
  /** Replicas of that database, which serve reads of the catalogue. */
  databaseReplicaUrls: readonly string[];
  dataDir: string;
  /** The Redis server, or nodes of a cluster, through which instances share rate limits; `undefined` to share none. */
  redis: { urls: readonly string[]; isCluster: boolean } | undefined;
  /** The currency of all prices, ISO 4217. */
  marketCurrency: string;
  /** The country whose shipping costs count, ISO 3166-1 alpha-2. */
  marketCountry: string;
  /** Origins whose browsers may read answers; `*` for all. */
  corsOrigins: readonly string[];
  /** GraphQL documents that clients may refer to by hash. */
  trustedDocuments: TrustedDocuments;
  /** The average time of a request, in milliseconds, above which additional requests are refused; 0 for no such limit. */
  targetLatencyMs: number;
  /** The most requests that are processed at once. */
  maxConcurrentRequests: number;
  /** Whether GraphQL introspection is enabled. */
  hasIntrospection: boolean;
  /** The memory limit of cached answers; 0 caches nothing of the catalogue between requests. */
  answerCacheMegabytes: number;
  /** How long a stopping server keeps serving, so that load balancers and clients can move to another one. */
  drainDelaySeconds: number;
  logLevel: string;
  /** Statements that take at least this many milliseconds are logged as slow; 0 logs none. */
  slowQueryMs: number;
  /** How traces are exported; `undefined` to export none. */
  traces: TraceSettings | undefined;
  isProduction: boolean;
  /** Unpaid requests a minute that an address may make; 0 for any number. */
  publicRequestsPerMinute: number;
  /** Unknown keys a minute that an address may send; 0 for any number. */
  wrongKeysPerMinute: number;
  /** The proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: TrustedProxies;
  /** Requests a minute for each plan; a key may have its own limit. */
  rateLimits: Readonly<Record<PlanId, number>>;
}

/** The environment is invalid; the message names each variable and its valid values. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly faults: readonly { variable: string; message: string }[];

  /** @param faults the invalid variables, each with its valid values. */
  constructor(message: string, faults: ConfigError['faults'] = []) {
    super(message);
    this.faults = faults;
  }
}

/**
 * Reads the configuration.
 *
 * @throws {ConfigError} when a variable has an invalid value.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const parsed = Environment.safeParse(environment);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => ({ variable: String(path[0]), message }));
    const sentences = faults.map(({ variable, message }) => `${variable}: ${message}`);
    throw new ConfigError(`The configuration is invalid. ${[...new Set(sentences)].join('. ')}.`, faults);
  }
  const values = parsed.data;
  if (values.TRUSTED_DOCUMENTS_ONLY && !values.TRUSTED_DOCUMENTS) {
    throw withFault('TRUSTED_DOCUMENTS_ONLY', 'refuses every document without TRUSTED_DOCUMENTS; set both');
  }
  if (values.DATABASE_REPLICA_URLS.length > 0 && values.DATABASE_URL === undefined) {
    throw withFault('DATABASE_REPLICA_URLS', 'must be replicas of the database at DATABASE_URL; set both');
  }
  if (values.REDIS_CLUSTER && values.REDIS_URL.length === 0) {
    throw withFault('REDIS_CLUSTER', 'has no effect without REDIS_URL; set both');
  }
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    metricsPort: values.METRICS_PORT,
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, ''),
    productUrlTemplate: values.PRODUCT_URL_TEMPLATE,
    databaseUrl: values.DATABASE_URL,
    databaseReplicaUrls: values.DATABASE_REPLICA_URLS,
    dataDir: values.DATA_DIR,
    redis:
      values.REDIS_URL.length === 0
        ? undefined
        : { urls: values.REDIS_URL, isCluster: values.REDIS_CLUSTER || values.REDIS_URL.length > 1 },
    marketCurrency: values.MARKET_CURRENCY,
    marketCountry: values.MARKET_COUNTRY,
    corsOrigins: values.CORS_ORIGINS,
    trustedDocuments: {
      documents: new Map(values.TRUSTED_DOCUMENTS),
      isOnly: values.TRUSTED_DOCUMENTS_ONLY,
    },
    targetLatencyMs: values.TARGET_LATENCY_MS,
    maxConcurrentRequests: values.MAX_CONCURRENT_REQUESTS,
    hasIntrospection: values.GRAPHQL_INTROSPECTION,
    answerCacheMegabytes: values.ANSWER_CACHE_MB,
    drainDelaySeconds: values.DRAIN_DELAY_SECONDS,
    logLevel: values.LOG_LEVEL,
    slowQueryMs: values.SLOW_QUERY_MS,
    traces: traceSettings(values),
    isProduction: values.NODE_ENV === 'production',
    publicRequestsPerMinute: values.RATE_LIMIT_PUBLIC,
    wrongKeysPerMinute: values.RATE_LIMIT_WRONG_KEYS,
    trustedProxies: values.TRUST_PROXY,
    rateLimits: Object.fromEntries(PLANS.map(({ id }) => [id, values[planVariable(id)]])) as Record<PlanId, number>,
  });
}

function withFault(variable: string, message: string): ConfigError {
  return new ConfigError(`The configuration is invalid. ${variable}: ${message}.`, [{ variable, message }]);
}

/** Reads OpenTelemetry's own variables. An endpoint is enough to enable the OTLP exporter. */
function traceSettings(values: z.infer<typeof Environment>): TraceSettings | undefined {
  const isAddressed = (values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? values.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined;
  const exporter = values.OTEL_TRACES_EXPORTER ?? (isAddressed ? 'otlp' : 'none');
  if (exporter === 'none' || values.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined;
  return { exporter, protocol: values.OTEL_EXPORTER_OTLP_PROTOCOL };
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim().replace(/\/$/, ''))
    .filter(Boolean);
}
