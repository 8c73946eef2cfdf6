/** Shapes of a batch: its calls and their outcomes. */
import { z } from 'zod';

const MAX_CALLS = 100;
const MAX_PATH = 4_096;

/** Request headers that a call may set. All others belong to the batch or to the gateway. */
const CALL_HEADERS: readonly string[] = ['accept-language', 'idempotency-key', 'if-match', 'if-none-match'];

const HeaderValue = z
  .string()
  .max(1_024)
  .regex(/^[\t\x20-\x7e]*$/, 'Use printable ASCII characters only, without line breaks.');

/** Checks the names of the headers. Names are compared in lower case, as in HTTP. */
function checkNames(headers: Record<string, string>, context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase();
    const report = (message: string) => context.addIssue({ code: 'custom', path: [name], message });
    if (!CALL_HEADERS.includes(lower)) report(`A call cannot set this header. Use only ${CALL_HEADERS.join(', ')}.`);
    else if (seen.has(lower)) report('Send this header once.');
    seen.add(lower);
  }
}

const Call = z
  .strictObject({
    id: z
      .string()
      .regex(/^[\w-]{1,64}$/, 'Use at most 64 characters: A to Z, a to z, digits, hyphens and underscores.')
      .optional()
      .meta({
        description: 'Name of the call in references and in the response. Defaults to its position, from `1`.',
        example: 'lead',
      }),
    method: z.enum(['POST', 'GET', 'PUT', 'DELETE']).describe('HTTP method.'),
    path: z
      .string()
      .max(MAX_PATH)
      .regex(/^\/api\/[!-~]*$/, 'Start the path with /api/ and percent-encode spaces and special characters.')
      .meta({
        description: 'Path with an optional query, such as `/api/lead/show/{{lead.data.id}}`.',
        example: '/api/lead/create',
      }),
    headers: z
      .record(z.string(), HeaderValue)
      .superRefine(checkNames)
      .optional()
      .describe(`Headers of the call: ${CALL_HEADERS.map((name) => `\`${name}\``).join(', ')}.`),
    body: z
      .unknown()
      .optional()
      .meta({ description: 'JSON body. A `GET` call has none.', example: { company: 'Northwind' } }),
  })
  .meta({ id: 'BatchCall' });
export type Call = z.output<typeof Call>;

export const Batch = z.strictObject({
  calls: z.array(Call).min(1).max(MAX_CALLS).describe('Calls in the order in which they run.'),
  stop_on_error: z
    .boolean()
    .default(false)
    .describe('Whether to skip all calls after the first one that fails. Defaults to `false`.'),
});
export type Batch = z.output<typeof Batch>;

/** Response headers that an outcome contains. */
export const OUTCOME_HEADERS = ['etag', 'location', 'retry-after', 'idempotent-replayed', 'x-request-id'] as const;

export const CallOutcome = z
  .object({
    id: z.string().describe('ID of the call.'),
    status: z.int().describe('HTTP status of the call. 424 if the call was skipped.'),
    headers: z
      .object({
        etag: z.string().optional().describe('Version of the record, for `If-Match`.'),
        location: z.string().optional().describe('URL of the result.'),
        'retry-after': z.string().optional().describe('Seconds after which to repeat the call.'),
        'idempotent-replayed': z.string().optional().describe('`true` if the call had been made before.'),
        'x-request-id': z.string().describe('ID of the call in log files: the ID of the batch with the position.'),
      })
      .describe('Response headers of the call. Others are omitted.'),
    body: z.unknown().describe('JSON body of the response, or an error. `null` if the response has no body.'),
  })
  .meta({ id: 'BatchOutcome' });
export type CallOutcome = z.output<typeof CallOutcome>;
