/** The one error that clients see. Each API writes it in its own format: RFC 9457 over REST, `extensions` over GraphQL. */

/** Every error code of the service with its HTTP status and title (contract §7). */
export const PROBLEMS = {
  invalid_parameter: { status: 400, title: 'Invalid parameter' },
  operation_too_complex: { status: 400, title: 'Operation too complex' },
  exactly_one_identifier: { status: 400, title: 'Exactly one identifier is needed' },
  missing_api_key: { status: 401, title: 'API key missing' },
  invalid_api_key: { status: 401, title: 'API key invalid' },
  quota_exhausted: { status: 402, title: 'Monthly quota exhausted' },
  demo_key_refused: { status: 403, title: 'Not with the demo key' },
  former_key_refused: { status: 403, title: 'Not with a former key' },
  origin_not_allowed: { status: 403, title: 'Origin not allowed' },
  introspection_disabled: { status: 403, title: 'Introspection disabled' },
  untrusted_document: { status: 403, title: 'Document not trusted' },
  not_found: { status: 404, title: 'Not found' },
  unknown_document: { status: 404, title: 'Unknown document' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'Request timeout' },
  too_many_rotations: { status: 409, title: 'Too many rotations' },
  too_many_webhooks: { status: 409, title: 'Too many webhooks' },
  ambiguous_code: { status: 409, title: 'Ambiguous code' },
  webhook_disabled: { status: 409, title: 'Webhook disabled' },
  gone: { status: 410, title: 'Gone' },
  cursor_expired: { status: 410, title: 'Cursor expired' },
  body_too_large: { status: 413, title: 'Request body too large' },
  uri_too_long: { status: 414, title: 'URL too long' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  expectation_failed: { status: 417, title: 'Expectation failed' },
  rate_limited: { status: 429, title: 'Rate limit exceeded' },
  too_many_polls: { status: 429, title: 'Too many long polls' },
  too_many_subscriptions: { status: 429, title: 'Too many subscriptions' },
  too_many_exports: { status: 429, title: 'Too many exports' },
  headers_too_large: { status: 431, title: 'Header fields too large' },
  internal_error: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Service unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

interface ProblemOptions {
  /** The invalid parameter, if one is to blame. */
  parameter?: string;
  /** The allowed values, if they form a closed set. */
  allowed?: readonly string[];
  /** Response headers that the status requires, such as `Allow` or `Retry-After`. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error for the client. @example new Problem('invalid_parameter', '`asin` must be 10 letters or digits.', { parameter: 'asin' }) */
export class Problem extends Error {
  override name = 'Problem';
  readonly code: ProblemCode;
  readonly parameter: string | undefined;
  readonly allowed: readonly string[] | undefined;
  readonly headers: Record<string, string>;

  /** @param detail one plain sentence: what happened, then what to do. */
  constructor(code: ProblemCode, detail: string, { parameter, allowed, headers = {}, cause }: ProblemOptions = {}) {
    super(detail, { cause });
    this.code = code;
    this.parameter = parameter;
    this.allowed = allowed;
    this.headers = headers;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }

  get title(): string {
    return PROBLEMS[this.code].title;
  }
}
