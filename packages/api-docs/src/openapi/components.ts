import { standardFaults } from '@suite/chassis/declarations';
import { headerFields, headersOf } from './headers.ts';
import { listComponents } from './parameters.ts';
import { type Json, json } from '../schemas.ts';

const known = standardFaults.map(({ status, code, text }) => `| ${status} | \`${code}\` | ${text} |`).join('\n');

/** Components that all operations refer to, in addition to the named schemas. */
export const components = ({
  schemas,
  responses,
  parameters,
}: Record<'schemas' | 'responses' | 'parameters', Json>): Json => ({
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'Access token of a session (`POST /api/login`), or a personal API key (`bms_…`).',
    },
    instanceToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'Token of a white-label instance (`wl_live_…`, `wl_test_…`).',
    },
    ownToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'Token that belongs to no user, such as the token of a mailbox. The operation names it.',
    },
  },
  parameters: {
    ...listComponents,
    ...parameters,
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      schema: { type: 'string', maxLength: 255 },
      description:
        'Unique key of this request, at most 255 characters. A repeated request with the same key returns the first response for 24 hours.',
    },
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      schema: { type: 'string' },
      description: '`ETag` of the version that you have read. Returns 412 if the record has changed since then.',
    },
  },
  headers: headerFields,
  schemas,
  responses: {
    ...responses,
    Fault: {
      description: `Every error has this shape.\n\n| Status | Code | Meaning |\n|---|---|---|\n${known}`,
      headers: headersOf(0),
      content: json({ $ref: '#/components/schemas/Fault' }),
    },
  },
});
