/** Keys of calls between services: each has its effect once, and never again when that was undone. */
import { createHash } from 'node:crypto';
import { execute, executeLast } from '../database/running.ts';
import { fault } from '../runtime/fault.ts';

export const KeyReused = fault(409, 'key_reused', 'This key was used for another request. Send a new key.');
export const KeyReversed = fault(409, 'key_reversed', 'The request with this key has been undone.');

/** Under which another service calls a method. */
interface RpcKey {
  method: string;
  key: string;
  caller: string;
}

/** A call under a key. */
interface KeyedRequest extends RpcKey {
  /** The hash of the input that the key is bound to. */
  fingerprint: string;
}

interface Kept {
  /** Null for a call from before fingerprints were kept, which is taken for the same. */
  fingerprint: string | null;
  answer: object | null;
  undone: boolean;
}

export const fingerprintOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex');

const scopeOf = ({ method, key, caller }: RpcKey) => [method, key, caller];
const WHICH = 'method = $1 AND key = $2 AND caller = $3';

/** Returns the answer that is kept for a key; nothing where the key is new. */
function answerOf<T>(kept: Kept | undefined, { fingerprint }: KeyedRequest): T | undefined {
  if (kept?.undone) throw KeyReversed();
  if (!kept?.answer) return undefined;
  if (kept.fingerprint !== null && kept.fingerprint !== fingerprint) throw KeyReused();
  return kept.answer as T;
}

/** Looks up the answer of an earlier call under this key, inside any transaction. @throws KeyReversed, KeyReused */
export async function answeredBefore<T extends object>(request: KeyedRequest): Promise<T | undefined> {
  const { rows } = await execute<Kept>(
    `SELECT fingerprint, answer, undone_at IS NOT NULL AS undone FROM rpc_keys WHERE ${WHICH}`,
    scopeOf(request),
  );
  return answerOf(rows[0], request);
}

/** A row that is there is locked by writing it anew; one that another transaction is writing is waited for. */
const CLAIM = `
  INSERT INTO rpc_keys (workspace_id, method, key, caller, fingerprint)
  VALUES (current_setting('suite.workspace_id')::uuid, $1, $2, $3, $4)
  ON CONFLICT (workspace_id, method, key, caller) DO UPDATE SET key = excluded.key
  RETURNING fingerprint, answer, undone_at IS NOT NULL AS undone`;

/**
 * Does the work for a key inside the transaction of its effect, or answers what it was answered before. A second call under
 * the key waits for the first. A refusal leaves the key free.
 * @param subjectOf the record that the effect belongs to
 * @throws KeyReversed, KeyReused
 */
export async function onceForKey<T extends object>(
  request: KeyedRequest,
  work: () => Promise<T>,
  subjectOf?: (answer: T) => string,
): Promise<T> {
  const scope = scopeOf(request);
  const { rows } = await execute<Kept>(CLAIM, [...scope, request.fingerprint]);
  const before = answerOf<T>(rows[0], request);
  if (before) return before;
  const answer = await work();
  const values = [...scope, JSON.stringify(answer), subjectOf?.(answer) ?? null];
  executeLast(`UPDATE rpc_keys SET answer = $4, subject = $5 WHERE ${WHICH}`, values);
  return answer;
}

const UNDO = `
  INSERT INTO rpc_keys AS kept (workspace_id, method, key, caller, undone_at)
  VALUES (current_setting('suite.workspace_id')::uuid, $1, $2, $3, clock_timestamp())
  ON CONFLICT (workspace_id, method, key, caller) DO UPDATE SET undone_at = excluded.undone_at WHERE kept.undone_at IS NULL
  RETURNING answer`;

/**
 * Marks a key as undone, even one that nobody has used: its call may still be on its way.
 * @returns what it was answered, once; nothing where there is nothing to undo
 */
export async function undoKey<T extends object>(key: RpcKey): Promise<T | undefined> {
  const { rows } = await execute<{ answer: T | null }>(UNDO, scopeOf(key));
  return rows[0]?.answer ?? undefined;
}

/** Marks the keys of a method's effects on a record as undone, for a service that has undone the effects by itself. */
export async function undoKeys(method: { name: string }, subject: string): Promise<void> {
  await execute(
    'UPDATE rpc_keys SET undone_at = clock_timestamp() WHERE method = $1 AND subject = $2 AND undone_at IS NULL',
    [method.name, subject],
  );
}

/** Deletes keys of a method whose effect is deleted: each can have it anew. */
export async function deleteKeys(method: { name: string }, by: 'key' | 'subject', values: string[]): Promise<void> {
  await execute(`DELETE FROM rpc_keys WHERE method = $1 AND ${by} = ANY($2)`, [method.name, values]);
}
