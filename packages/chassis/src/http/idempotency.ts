import { execute, executeLast } from '../database/running.ts';
import { withSavepoint } from '../database/transaction.ts';
import { Fault, IdempotencyKeyReused, RequestInProgress } from '../runtime/fault.ts';
import { faultBody } from './answer.ts';
import type { ResponseWriter } from '../operation/answering.ts';

/** Call that its client may repeat, with the fingerprint of the request. */
export interface IdempotentCall {
  workspace_id: string;
  caller_id: string;
  operation: string;
  key: string;
  /** The fingerprint of all inputs of the call. */
  asked: string;
}

/** Response as sent. */
export interface StoredResponse {
  status: number;
  body: object;
  headers?: Record<string, string>;
  replayed?: boolean;
}

/** The result of an operation: a response, a file to send, or a fault that does not roll back. */
export type RequestOutcome = StoredResponse | ResponseWriter | Fault;

const scopeOf = (call: IdempotentCall) => [call.workspace_id, call.caller_id, call.operation, call.key];

interface StoredRow {
  body_hash: string;
  status: number;
  body: object;
}

const findResponse = async (call: IdempotentCall): Promise<StoredRow | undefined> =>
  (
    await execute<StoredRow>(
      'SELECT body_hash, status, body FROM idempotency_keys WHERE workspace_id = $1 AND caller_id = $2 AND operation = $3 AND key = $4',
      scopeOf(call),
    )
  ).rows[0];

function responseOf({ asked }: IdempotentCall, kept: StoredRow | undefined): StoredResponse | undefined {
  if (kept && kept.body_hash !== asked) throw IdempotencyKeyReused();
  return kept && { status: kept.status, body: kept.body, replayed: true };
}

/**
 * Returns the earlier response to a call with this key, read inside any transaction. @throws IdempotencyKeyReused if
 * the earlier request was different
 */
export const storedResponse = async (call: IdempotentCall): Promise<StoredResponse | undefined> =>
  responseOf(call, await findResponse(call));

/**
 * Runs a call once per key, inside the transaction of its effect (Stripe's semantics). The first response, including a
 * rejection, is kept for 24 hours and returned again. An internal error or a retryable rejection is not kept, so that a
 * retry runs again.
 * @param stored returns the part of the body that may be kept: responses can contain secrets that are shown once
 * @throws RequestInProgress while the first call still runs
 * @throws IdempotencyKeyReused if the key was used for another request
 */
export async function runOnce(
  call: IdempotentCall,
  run: () => Promise<RequestOutcome>,
  stored: (body: object) => object,
): Promise<RequestOutcome> {
  const scope = scopeOf(call);
  const lock = execute<{ free: boolean }>('SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS free', [
    scope.join('\n'),
  ]);
  const [{ rows }, kept] = await Promise.all([lock, findResponse(call)]);
  if (!rows[0]?.free) throw RequestInProgress();
  const first = responseOf(call, kept);
  if (first) return first;

  const outcome = await withSavepoint(run).catch((error: unknown): Fault => {
    if (!(error instanceof Fault) || error.status >= 500 || error.retryable) throw error;
    return error;
  });
  if (typeof outcome === 'function' || (outcome instanceof Fault && outcome.retryable)) return outcome;
  const answer = outcome instanceof Fault ? { status: outcome.status, body: faultBody(outcome) } : outcome;
  executeLast(
    'INSERT INTO idempotency_keys (workspace_id, caller_id, operation, key, body_hash, status, body) VALUES ($1, $2, $3, $4, $5, $6, $7)',
    [...scope, call.asked, answer.status, stored(answer.body)],
  );
  return outcome;
}
