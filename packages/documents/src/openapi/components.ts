import { standardFaults } from '@suite/chassis/declarations';
import { headerFields, headersOf } from './headers.ts';
import { listComponents } from './parameters.ts';
import { type Json, json } from '../schemas.ts';

const known = standardFaults.map(({ status, code, text }) => `| ${status} | \`${code}\` | ${text} |`).join('\n');

/** The components that all operations refer to, beside the named schemas. */
export const components = ({
  schemas,
  responses,
  parameters,
}: Record<'schemas' | 'responses' | 'parameters', Json>): Json => ({
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'The access token of a session (`POST /api/login`), or a personal API key (`bms_…`).',
    },
    instanceToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'The token of a white-label instance (`wl_live_…`, `wl_test_…`).',
    },
    ownToken: {
      type: 'http',
      scheme: 'bearer',
      description: "A token that is no user's, such as that of a mailbox: the operation says which.",
    },
  },
  parameters: {
    ...listComponents,
    ...parameters,
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      schema: { type: 'string', maxLength: 255 },
      description: 'Repeating the call with the same key gives the first answer again, for 24 hours.',
    },
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      schema: { type: 'string' },
      description: 'The `ETag` that was read; a record that changed since answers 412.',
    },
  },
  headers: headerFields,
  schemas,
  responses: {
    ...responses,
    Fault: {
      description: `Any error, always in this shape.\n\n| Status | Code | Meaning |\n|---|---|---|\n${known}`,
      headers: headersOf(0),
      content: json({ $ref: '#/components/schemas/Fault' }),
    },
  },
});
