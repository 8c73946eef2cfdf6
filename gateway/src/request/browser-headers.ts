/** What browsers must be told: how little an answer may do, and which other sites may call (none, unless configured). */
import type { Link } from './request-context.ts';

/** On every answer; a service may say otherwise for its own. */
const PRECAUTIONS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'cache-control': 'no-store',
};

const CROSS_ORIGIN = {
  'access-control-expose-headers':
    'etag, link, retry-after, ratelimit, ratelimit-policy, x-request-id, idempotent-replayed, content-disposition',
};

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, accept-language, idempotency-key, if-match, if-none-match, x-request-id, traceparent',
  'access-control-max-age': '600',
};

const ANY_PORT = ':*';

/** Makes the link. @param origins sites whose scripts may call the suite, as `https://host`, or `http://localhost:*` for any port */
export function browsers(origins: readonly string[]): Link {
  const exact = new Set(origins);
  const hosts = new Set(origins.flatMap((one) => (one.endsWith(ANY_PORT) ? [one.slice(0, -ANY_PORT.length)] : [])));
  const isKnown = (origin: string) =>
    (exact.has(origin) && !origin.endsWith(ANY_PORT)) || hosts.has(origin.replace(/:\d{1,5}$/, ''));
  const always = exact.size > 0 ? { ...PRECAUTIONS, vary: 'Origin' } : PRECAUTIONS;

  return (request, reply, next) => {
    const { exchange } = reply.locals;
    exchange.headers = { ...always, 'x-request-id': exchange.id };
    const { origin } = request.headers;
    if (origin === undefined || !isKnown(origin)) return next();
    Object.assign(exchange.headers, CROSS_ORIGIN, { 'access-control-allow-origin': origin });
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return next();
    reply.writeHead(204, { ...exchange.headers, ...PREFLIGHT }).end();
  };
}
