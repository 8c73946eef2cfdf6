/** Idempotency keys of calls between services. Each call takes effect once, and never after it was undone. */
import { createHash } from 'node:crypto';
import { execute, executeLast } from '../database/running.ts';
import { fault } from '../runtime/fault.ts';

export const KeyReused = fault(409, 'key_reused', 'This key was used for another request. Send a new key.');
export const KeyReversed = fault(409, 'key_reversed', 'The request with this key has been undone. Use a new key.');

/** Identification of a call: another service calls a method with this key. */
interface RpcKey {
  method: string;
  key: string;
  caller: string;
}

/** A call with an idempotency key. */
interface KeyedRequest extends RpcKey {
  /** The hash of the input that the key is bound to. */
  fingerprint: string;
}

interface StoredCall {
  /** The fingerprint. Null for a call from before fingerprints were stored, which matches any input. */
  fingerprint: string | null;
  answer: object | null;
  undone: boolean;
}

export const fingerprintOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex');

const scopeOf = ({ method, key, caller }: RpcKey) => [method, key, caller];
const BY_KEY = 'method = $1 AND key = $2 AND caller = $3';

/** Returns the stored response for a key. Undefined for a new key. */
function responseOf<T>(kept: StoredCall | undefined, { fingerprint }: KeyedRequest): T | undefined {
  if (kept?.undone) throw KeyReversed();
  if (!kept?.answer) return undefined;
  if (kept.fingerprint !== null && kept.fingerprint !== fingerprint) throw KeyReused();
  return kept.answer as T;
}

/** Returns the response of an earlier call with this key, within any transaction. @throws KeyReversed, KeyReused */
export async function findStoredResponse<T extends object>(request: KeyedRequest): Promise<T | undefined> {
  const { rows } = await execute<StoredCall>(
    `SELECT fingerprint, answer, undone_at IS NOT NULL AS undone FROM rpc_keys WHERE ${BY_KEY}`,
    scopeOf(request),
  );
  return responseOf(rows[0], request);
}

/** Locks an existing row by writing it again, and waits for a row that another transaction is writing. */
const CLAIM = `
  INSERT INTO rpc_keys (workspace_id, method, key, caller, fingerprint)
  VALUES (current_setting('suite.workspace_id')::uuid, $1, $2, $3, $4)
  ON CONFLICT (workspace_id, method, key, caller) DO UPDATE SET key = excluded.key
  RETURNING fingerprint, answer, undone_at IS NOT NULL AS undone`;

/**
 * Runs the work for a key inside the transaction of its effect, or returns the earlier response. A second call with the
 * key waits for the first. A fault leaves the key unused.
 * @param subjectOf the record that the effect belongs to
 * @throws KeyReversed, KeyReused
 */
export async function runOncePerKey<T extends object>(
  request: KeyedRequest,
  work: () => Promise<T>,
  subjectOf?: (answer: T) => string,
): Promise<T> {
  const scope = scopeOf(request);
  const { rows } = await execute<StoredCall>(CLAIM, [...scope, request.fingerprint]);
  const before = responseOf<T>(rows[0], request);
  if (before) return before;
  const answer = await work();
  const values = [...scope, JSON.stringify(answer), subjectOf?.(answer) ?? null];
  executeLast(`UPDATE rpc_keys SET answer = $4, subject = $5 WHERE ${BY_KEY}`, values);
  return answer;
}

const UNDO = `
  INSERT INTO rpc_keys AS kept (workspace_id, method, key, caller, undone_at)
  VALUES (current_setting('suite.workspace_id')::uuid, $1, $2, $3, clock_timestamp())
  ON CONFLICT (workspace_id, method, key, caller) DO UPDATE SET undone_at = excluded.undone_at WHERE kept.undone_at IS NULL
  RETURNING answer`;

/**
 * Marks a key as undone, even an unused key: its call may still be in transit.
 * @returns the response to the call, once. Undefined if there is nothing to undo
 */
export async function undoKey<T extends object>(key: RpcKey): Promise<T | undefined> {
  const { rows } = await execute<{ answer: T | null }>(UNDO, scopeOf(key));
  return rows[0]?.answer ?? undefined;
}

/** Marks the keys of a method's effects on a record as undone, for a service that has undone the effects itself. */
export async function undoKeys(method: { name: string }, subject: string): Promise<void> {
  await execute(
    'UPDATE rpc_keys SET undone_at = clock_timestamp() WHERE method = $1 AND subject = $2 AND undone_at IS NULL',
    [method.name, subject],
  );
}

/** Deletes keys of a method whose effect is deleted. Each key can then be used again. */
export async function deleteKeys(method: { name: string }, by: 'key' | 'subject', values: string[]): Promise<void> {
  await execute(`DELETE FROM rpc_keys WHERE method = $1 AND ${by} = ANY($2)`, [method.name, values]);
}
