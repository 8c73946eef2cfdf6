/** Security headers for browsers, and CORS: only configured sites may call the suite. */
import type { Middleware, GatewayReply } from './request-context.ts';
import type { Routing } from './routing.ts';

/** Headers of every response. A service can override them. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'cache-control': 'no-store',
};

const CROSS_ORIGIN_HEADERS = {
  'access-control-expose-headers':
    'etag, link, retry-after, ratelimit, ratelimit-policy, x-request-id, idempotent-replayed, content-disposition, subscription-status',
};

/**
 * Headers for operations that are open to other sites. They identify no caller by cookie or token, so a page learns
 * nothing that it could not request itself.
 */
const OPEN_HEADERS = {
  ...CROSS_ORIGIN_HEADERS,
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

const OPEN_PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST',
  'access-control-allow-headers': 'content-type, idempotency-key, if-none-match, x-request-id',
  'access-control-max-age': '600',
};

const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, accept-language, idempotency-key, if-match, if-none-match, x-request-id, traceparent',
  'access-control-max-age': '600',
};

const ANY_PORT = ':*';

/**
 * Creates the middleware.
 * @param origins sites whose scripts may call the suite, as `https://host`, or `http://localhost:*` for any port
 */
export function browserHeaders(origins: readonly string[]): Middleware {
  const exact = new Set(origins);
  const hosts = new Set(
    origins.filter((origin) => origin.endsWith(ANY_PORT)).map((origin) => origin.slice(0, -ANY_PORT.length)),
  );
  const isAllowed = (origin: string) =>
    (exact.has(origin) && !origin.endsWith(ANY_PORT)) || hosts.has(origin.replace(/:\d{1,5}$/, ''));
  const always = exact.size > 0 ? { ...SECURITY_HEADERS, vary: 'Origin' } : SECURITY_HEADERS;

  return (request, reply, next) => {
    const { context } = reply.locals;
    context.headers = { ...always, 'x-request-id': context.id };
    const { origin } = request.headers;
    if (origin === undefined || !isAllowed(origin)) return next();
    Object.assign(context.headers, CROSS_ORIGIN_HEADERS, { 'access-control-allow-origin': origin });
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return next();
    reply.writeHead(204, { ...context.headers, ...PREFLIGHT_HEADERS }).end();
  };
}

/** Allows scripts of all sites to read the responses of an operation that is open to sites. */
export function openToSites({ locals: { context } }: GatewayReply): void {
  if (context.operation?.sites) Object.assign(context.headers, OPEN_HEADERS);
}

/** Responds to preflight requests for operations that are open to other sites. */
export function answerPreflight(routing: Routing): Middleware {
  return ({ method, headers }, reply, next) => {
    const asked = headers['access-control-request-method'];
    const { context } = reply.locals;
    if (method !== 'OPTIONS' || typeof asked !== 'string' || !routing.isOpenToSites(asked, context.path)) return next();
    reply.writeHead(204, { ...context.headers, ...OPEN_HEADERS, ...OPEN_PREFLIGHT_HEADERS }).end();
  };
}
