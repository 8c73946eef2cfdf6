/** Which headers pass: inward an allow-list, outward everything but what concerns one connection only. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Exchange } from '../request/request-context.ts';

/** What a client may tell a service. Everything else, identity and X-Forwarded-* first of all, stays here. */
const INWARD = [
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
] as const;

/** The headers for the service: the client's, as far as they pass, and what only the gateway may say. */
export function inwardHeaders(
  from: IncomingHttpHeaders,
  exchange: Exchange,
  to: { host: string; authorization: string },
): IncomingHttpHeaders {
  const headers: Record<string, string | string[]> = {
    host: to.host,
    authorization: to.authorization,
    'x-request-id': exchange.id,
    traceparent: exchange.traceparent,
    'x-client-address': exchange.address,
  };
  for (const name of INWARD) {
    const value = from[name];
    if (value !== undefined) headers[name] = value;
  }
  if (exchange.body) headers['content-length'] = String(exchange.body.length);
  // Said outright, because Node would send the body of a DELETE without any framing.
  else if (from['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
  return headers;
}

/** Hop by hop (RFC 9110, 7.6.1), or ours to say. */
const KEPT_BACK = new Set([
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

/** The head of a service's answer as the client gets it: ours first, so that a service may say otherwise for its own. */
export function outwardHeaders(ours: Record<string, string>, from: IncomingHttpHeaders): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { ...ours };
  const named = from.connection;
  const dropped = named === undefined || named === 'keep-alive' || named === 'close' ? undefined : tokens(named);
  for (const name of Object.keys(from)) {
    if (!KEPT_BACK.has(name) && !dropped?.has(name)) headers[name] = from[name];
  }
  // Both hold: an answer that depends on the language depends on the origin no less.
  if (ours['vary'] && from.vary) headers['vary'] = `${ours['vary']}, ${from.vary}`;
  return headers;
}

/** The header names that a Connection header declares to be hop by hop. */
function tokens(connection: string): Set<string> {
  return new Set(connection.split(',').map((token) => token.trim().toLowerCase()));
}
