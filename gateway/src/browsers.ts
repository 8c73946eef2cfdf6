/** What browsers must be told: how little an answer may do, and which other sites may call (none, unless configured). */
import type { Link } from './exchange.ts';

/** On every answer; a service may say otherwise for its own. */
const PRECAUTIONS: [name: string, value: string][] = [
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['strict-transport-security', 'max-age=31536000; includeSubDomains'],
  ['cache-control', 'no-store'],
];

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const REQUEST_HEADERS =
  'authorization, content-type, accept-language, idempotency-key, if-match, if-none-match, x-request-id, traceparent';
const ANSWER_HEADERS =
  'etag, link, retry-after, ratelimit, ratelimit-policy, x-request-id, idempotent-replayed, content-disposition';
const PREFLIGHT_S = '600';

/** Makes the link. @param origins sites whose scripts may call the suite, as `https://host` */
export function browsers(origins: readonly string[]): Link {
  const known = new Set(origins);

  return (request, reply, next) => {
    for (const [name, value] of PRECAUTIONS) reply.setHeader(name, value);
    if (known.size > 0) reply.setHeader('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !known.has(origin)) return next();
    reply.setHeader('access-control-allow-origin', origin);
    reply.setHeader('access-control-expose-headers', ANSWER_HEADERS);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return next();
    reply.setHeader('access-control-allow-methods', METHODS);
    reply.setHeader('access-control-allow-headers', REQUEST_HEADERS);
    reply.setHeader('access-control-max-age', PREFLIGHT_S);
    reply.writeHead(204).end();
  };
}
