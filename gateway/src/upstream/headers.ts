/** Headers of forwarded messages: allowed request headers, and response headers without hop-by-hop headers. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { RequestContext } from '../request/request-context.ts';

/** Client headers that services receive. All others are removed, especially identity headers and X-Forwarded-*. */
const FORWARDED = [
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'content-length',
  'content-encoding',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'user-agent',
  'stripe-signature',
  'webhook-signature',
] as const;

const BEARER = /^bearer +([\w.~+/=-]{1,4096})$/i;
/** Returns the client's token, for a service that checks it itself. */
export const bearerOf = (authorization = ''): string | undefined => BEARER.exec(authorization)?.[1];

/** Returns the headers for the service: the allowed client headers and the gateway's own. */
export function requestHeaders(
  from: IncomingHttpHeaders,
  context: RequestContext,
  to: { host: string; authorization: string; deadline_ms: number },
): IncomingHttpHeaders {
  const headers: Record<string, string | string[]> = {
    host: to.host,
    authorization: to.authorization,
    'x-request-id': context.id,
    traceparent: context.traceparent,
    'x-client-address': context.address,
    'x-deadline-ms': String(to.deadline_ms),
  };
  for (const name of FORWARDED) {
    const value = from[name];
    if (value !== undefined) headers[name] = value;
  }
  const token = context.operation?.bearer && bearerOf(from.authorization);
  if (token) headers['x-bearer'] = token;
  if (context.operation?.sites && from.origin !== undefined) headers['origin'] = from.origin;
  if (context.body) headers['content-length'] = String(context.body.length);
  // Set explicitly, because Node.js would send the body of a DELETE without framing.
  else if (from['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
  return headers;
}

/** Hop-by-hop headers (RFC 9110, 7.6.1), and headers that the gateway sets or hides. */
const NOT_FORWARDED = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'server',
  'x-powered-by',
  'x-request-id',
]);

/**
 * Returns the response headers for the client. The gateway's headers come first, so that a service can replace them.
 */
export function responseHeaders(ours: Record<string, string>, from: IncomingHttpHeaders): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { ...ours };
  const { connection } = from;
  const isPlain = connection === undefined || connection === 'keep-alive' || connection === 'close';
  const dropped = isPlain ? undefined : tokens(connection);
  for (const name of Object.keys(from)) {
    if (!NOT_FORWARDED.has(name) && !dropped?.has(name)) headers[name] = from[name];
  }
  // Both values apply: a response that varies by language also varies by origin.
  if (ours['vary'] && from.vary) headers['vary'] = `${ours['vary']}, ${from.vary}`;
  return headers;
}

/** Returns the header names that a Connection header declares as hop-by-hop. */
function tokens(connection: string): Set<string> {
  return new Set(connection.split(',').map((token) => token.trim().toLowerCase()));
}
