/** How an operation or a method is performed: the one order in which its parts run. */
import type { Emit } from '../operation/events.ts';
import type { Database } from './database.ts';
import type { Context } from './running.ts';

interface Performance<Prepared, Outcome> {
  /** Reads what is true or what the caller may see; writes; or finds out what writing would do. */
  as: 'read' | 'view' | 'write' | 'dryRun';
  /** For a call that may be repeated. */
  key?: { answered(): Promise<Outcome | undefined>; once(work: () => Promise<Outcome>): Promise<Outcome> } | undefined;
  /** Makes sure that the caller may see the records that the request names. */
  check?: (db: unknown) => Promise<void>;
  /** Asks other services, before the transaction: a slow neighbour must not hold our locks. */
  prepare: (() => Promise<Prepared>) | undefined;
  /** Does the work in the transaction, and says what it comes to on the wire. */
  handle(given: { db: unknown; emit: Emit; prepared: Prepared | undefined }): Promise<Outcome>;
}

export async function perform<Prepared, Outcome>(
  database: Database,
  context: Context,
  { as, key, check, prepare, handle }: Performance<Prepared, Outcome>,
): Promise<Outcome> {
  // A repeat gets the first answer, even when `prepare` would ask for something that has changed since.
  const answered = async () => (prepare && key ? await database.read(context, () => key.answered()) : undefined);
  const before = await answered();
  if (before) return before;
  let prepared: Prepared | undefined;
  try {
    // Before neighbours are asked; for who sees everything that would be a transaction for nothing.
    if (prepare && check && database.isLimited(context.caller)) await database.view(context, check);
    prepared = await prepare?.();
  } catch (error) {
    // An earlier try, which its client gave up, may have ended since, and have used up what this one needs.
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
