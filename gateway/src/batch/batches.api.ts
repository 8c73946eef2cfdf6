/** A batch is a list of calls that a client sends in one request. Later calls can use the results of earlier ones. */
import { anyCredential, ok, operations, withTrackers } from '@suite/chassis/gateway';
import { z } from 'zod';
import { batchFaults } from './batch-faults.ts';
import { type BatchTools, runBatch } from './batch.ts';
import { Batch, CallOutcome } from './batch.schema.ts';

/** The gateway has no database. It calls itself. */
const { command } = operations<never, BatchTools>();

export const run = command('POST /api/batch', {
  summary: 'Run a batch of calls',
  description: [
    'Runs up to 100 calls in order, one after the other, and returns one outcome for each call. A failed call does not undo earlier calls.',
    'Each call has the permissions of your token and counts towards the rate limits, like a separate request.',
    'With `stop_on_error`, all calls after the first failed one are skipped and fail with `batch_stopped`.',
    '`{{lead.data.id}}` in a path or body is the field `data.id` in the response to the earlier call `lead`. A text that is only a reference becomes the value with its type. A backslash before the braces keeps them as text. A call that refers to a failed call is skipped and fails with `dependency_failed`.',
    'With an `Idempotency-Key`, each write gets a key that is derived from it and from the ID of the call. Repeat an interrupted batch with the same key: completed writes return their first response, the others run.',
    'An invalid call rejects the whole batch before its first call. Public operations, white-label operations, uploads, files and other batches cannot be part of a batch.',
    'The request has at most 1 MiB, and the response of a call at most 1 MiB. After 25 seconds or 2 MiB of responses, the remaining calls are skipped and fail with `batch_timeout` or `batch_full`.',
  ].join(' '),
  addition: 'Integrations write many records, and create a record with its parts in one request.',
  access: withTrackers(anyCredential),
  body: Batch,
  // Chosen: 200 and not 207, which few clients handle. Each outcome has the status of its call.
  reply: ok(z.array(CallOutcome)),
  faults: batchFaults,
  prepare: ({ body, rpc }) => runBatch(body, rpc),
  handle: ({ prepared }) => prepared,
});
