/** Performs operations and methods: the fixed order in which their parts run. */
import type { Emit } from '../operation/events.ts';
import type { Database } from './database.ts';
import type { TransactionContext } from './running.ts';

interface Performance<Prepared, Outcome> {
  /** Mode: read unrestricted data, view what the caller may see, write, or dry-run a write. */
  as: 'read' | 'view' | 'write' | 'dryRun';
  /** The idempotency key of a repeatable call. */
  key?: { answered(): Promise<Outcome | undefined>; once(work: () => Promise<Outcome>): Promise<Outcome> } | undefined;
  /** Checks that the caller may see the records that the request names. */
  check?: (db: unknown) => Promise<void>;
  /** Calls other services before the transaction: a slow service must not hold our locks. */
  prepare: (() => Promise<Prepared>) | undefined;
  /** Does the work in the transaction and returns the response to send. */
  handle(given: { db: unknown; emit: Emit; prepared: Prepared | undefined }): Promise<Outcome>;
}

export async function perform<Prepared, Outcome>(
  database: Database,
  context: TransactionContext,
  { as, key, check, prepare, handle }: Performance<Prepared, Outcome>,
): Promise<Outcome> {
  // A repeated call gets the first response, even if `prepare` would now read changed data.
  const answered = async () => (prepare && key ? await database.read(context, () => key.answered()) : undefined);
  const before = await answered();
  if (before) return before;
  let prepared: Prepared | undefined;
  try {
    // Checks before other services are called. For a caller who sees everything, this transaction would be wasted.
    if (prepare && check && database.isLimited(context.caller)) await database.view(context, check);
    prepared = await prepare?.();
  } catch (error) {
    // An earlier attempt, cancelled by its client, may have ended since then and used up what this one needs.
    const meanwhile = await answered();
    if (meanwhile) return meanwhile;
    throw error;
  }
  const work = async (db: unknown, emit?: Emit) => {
    await check?.(db);
    return await handle({ db, emit: emit!, prepared });
  };
  const once = (db: unknown, emit?: Emit) => (key ? key.once(() => work(db, emit)) : work(db, emit));
  if (as === 'read' || as === 'view') return await database[as](context, (db) => once(db));
  return await database[as](context, once);
}
