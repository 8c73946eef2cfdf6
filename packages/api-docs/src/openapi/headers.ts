/** The header fields of answers. */
import { isListQuery, type Operation } from '@suite/chassis/declarations';
import { z } from 'zod';
import type { Json } from '../schemas.ts';

const field = (description: string, schema: Json, example: unknown): Json => ({ description, schema, example });

/** Every header field that a response may have, by its name in the components of the document. */
export const headerFields: Readonly<Record<string, Json>> = {
  'X-Request-Id': field(
    'ID of the request in log files and error bodies. The value of your request is used if it is well-formed.',
    { type: 'string' },
    '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10',
  ),
  RateLimit: field(
    'Remaining requests of each policy that counted this request.',
    { type: 'string' },
    '"token";r=599;t=60',
  ),
  'RateLimit-Policy': field('Policies that counted this request.', { type: 'string' }, '"token";q=600;w=60'),
  'Retry-After': field('Seconds after which to repeat the request.', { type: 'integer', minimum: 1 }, 1),
  'WWW-Authenticate': field('Authentication scheme.', { type: 'string' }, 'Bearer error="invalid_token"'),
  ETag: field(
    'Changes whenever the body changes. Send it as `If-Match` to update only the version that you have read, or as `If-None-Match` to receive 304 if nothing has changed.',
    { type: 'string' },
    '"1-Vd7p0aXq2LkS"',
  ),
  Link: field(
    'Links to the next and the previous page (RFC 8288).',
    { type: 'string' },
    '</api/leads?cursor=WyIyMDI2Il0>; rel="next"',
  ),
  'Idempotent-Replayed': field(
    'Present if the response repeats the response of an earlier request with the same `Idempotency-Key`.',
    { type: 'string', enum: ['true'] },
    'true',
  ),
  'Cache-Control': field('Time for which caches may store the response.', { type: 'string' }, 'public, max-age=300'),
  'Content-Disposition': field('File name.', { type: 'string' }, 'attachment; filename="offer.pdf"'),
};

const ALWAYS = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];

const references = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The header fields of a refusal. */
export const headersOf = (status: number): Json =>
  references([
    ...ALWAYS,
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
  ]);

/** True for a command that compares the version of a record: in `If-Match`, or in the `version` of its body. */
export const comparesVersion = ({ kind, method, params = {}, body }: Operation): boolean =>
  kind === 'command' && (readsIfMatch({ kind, method, params }) || hasVersion(body));

/** True for a command that reads `If-Match`. */
export const readsIfMatch = ({ kind, method, params = {} }: Pick<Operation, 'kind' | 'method' | 'params'>): boolean =>
  kind === 'command' && Object.keys(params).length > 0 && method !== 'DELETE';

const hasVersion = (body: Operation['body']): boolean => {
  const { shape, in: piped } = (body?.def ?? {}) as { shape?: Record<string, unknown>; in?: z.ZodType };
  return shape ? 'version' in shape : piped !== undefined && hasVersion(piped);
};

/** The header fields of a success. */
export function successHeaders({ kind, access, query, reply, formats }: Operation): Json {
  const isVersioned =
    reply.shape !== 'page' &&
    reply.schema instanceof z.ZodObject &&
    reply.schema.shape['version'] instanceof z.ZodNumber;
  return references([
    ...ALWAYS,
    ...(isVersioned || reply.max_age_s !== undefined ? ['ETag'] : []),
    ...(reply.max_age_s === undefined ? [] : ['Cache-Control']),
    ...(reply.shape === 'page' && isListQuery(query) ? ['Link'] : []),
    ...((kind === 'command' && access.kind !== 'public') || reply.shape === 'repeatable'
      ? ['Idempotent-Replayed']
      : []),
    ...(reply.shape === 'stream' || formats?.pdf ? ['Content-Disposition'] : []),
  ]);
}
