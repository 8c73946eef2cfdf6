/** The header fields of answers. */
import { isListQuery, type Operation } from '@suite/chassis/declarations';
import { z } from 'zod';
import type { Json } from '../schemas.ts';

const field = (description: string, schema: Json, example: unknown): Json => ({ description, schema, example });

/** Every header field that an answer may carry, by its name in the components of the document. */
export const headerFields: Readonly<Record<string, Json>> = {
  'X-Request-Id': field(
    'Names this request in logs and in error bodies; a well-formed one of yours is taken over.',
    { type: 'string' },
    '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10',
  ),
  RateLimit: field('What is left of each policy that counted this request.', { type: 'string' }, '"token";r=599;t=60'),
  'RateLimit-Policy': field('The policies that counted this request.', { type: 'string' }, '"token";q=600;w=60'),
  'Retry-After': field('In so many seconds the same request may succeed.', { type: 'integer', minimum: 1 }, 1),
  'WWW-Authenticate': field('How to sign in.', { type: 'string' }, 'Bearer error="invalid_token"'),
  ETag: field(
    'Changes with every change of the body. Send it back as `If-Match` to update only the version that you read, or as `If-None-Match` to get 304 while nothing has changed.',
    { type: 'string' },
    '"1-Vd7p0aXq2LkS"',
  ),
  Link: field(
    'The next and the previous page (RFC 8288).',
    { type: 'string' },
    '</api/leads?cursor=WyIyMDI2Il0>; rel="next"',
  ),
  'Idempotent-Replayed': field(
    'Present when this is the answer to an earlier request with the same `Idempotency-Key`.',
    { type: 'string', enum: ['true'] },
    'true',
  ),
  'Cache-Control': field('How long caches may keep it.', { type: 'string' }, 'public, max-age=300'),
  'Content-Disposition': field('The name of the file.', { type: 'string' }, 'attachment; filename="offer.pdf"'),
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
