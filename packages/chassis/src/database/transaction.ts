/** Transactions: opening, journal, commit and rollback, and look-ups beyond a workspace. */
import pg from 'pg';
import { countsFor, forgetCounts } from './list-counts.ts';
import { databaseFault, isOutdated, isReadOnly } from './database-fault.ts';
import { Fault } from '../runtime/fault.ts';
import { connect, release } from '../pool/connections.ts';
import { writeJournal } from './journal-row.ts';
import {
  type TransactionContext,
  control,
  currentTransaction,
  execute,
  type TransactionState,
  releaseUnended,
  transactionStorage,
  setLocally,
} from './running.ts';

/** Converts an error of the database to a fault for the caller. */
function faultFor(now: TransactionState, error: unknown): unknown {
  const { refusal, seen, writes } = now;
  now.refusal = undefined;
  const fault = error instanceof Fault ? error : (refusal ?? databaseFault(error, seen?.whole));
  // A write in a transaction that only reads is a bug. It does not mean that the server is a replica.
  return fault && (writes || !isReadOnly(fault.cause)) ? fault : error;
}

/**
 * Ends a transaction after all its statements. Nothing can be sent afterwards.
 * @throws if PostgreSQL answers COMMIT with a rollback: a statement had failed, and its caller continued
 */
async function endTransaction(now: TransactionState, how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
  const client = await now.connection;
  now.state = 'over';
  const ended = await client?.query(how);
  if (ended && ended.command !== how)
    throw new Error('A statement of this transaction failed, but its caller continued.');
}

/**
 * Sends the closing statements, the journal row and the commit together. PostgreSQL rolls back a transaction if it has
 * rejected a statement.
 */
async function commit(now: TransactionState): Promise<void> {
  const closing = now.closing.map(({ text, values }) => execute(text, values));
  const sent = [...closing, writeJournal(now), endTransaction(now, 'COMMIT')];
  const refused = (await Promise.allSettled(sent)).find((one) => one.status === 'rejected');
  if (refused) throw refused.reason;
}

/** Rolls a transaction back. Returns the reason if its connection cannot be used again. */
async function rollBack(now: TransactionState): Promise<Error | undefined> {
  if (now.state !== 'open') return undefined;
  return await endTransaction(now, 'ROLLBACK').then(
    () => undefined,
    (lost: Error) => lost,
  );
}

/**
 * Checks whether the response can precede the end of the transaction. A read-only transaction has nothing to commit.
 * Internal connections are excluded.
 */
const mayEndLater = ({ writes, failed, pool, machinery }: TransactionState) => !writes && !failed && pool !== machinery;

/**
 * Runs `work` in a transaction, publishes its events and commits, or rolls everything back. The transaction begins with
 * the first statement: work without statements uses no connection.
 */
export async function transaction<T>(
  pool: pg.Pool,
  mode: string,
  context: TransactionContext,
  how: Pick<TransactionState, 'seen' | 'visibilityMode' | 'writes' | 'machinery'>,
  work: (now: TransactionState) => Promise<T>,
): Promise<T> {
  const { workspace_id } = context;
  const begun = {
    connection: undefined,
    state: 'new',
    role: undefined,
    reach: 'listed',
    refusal: undefined,
    failed: false,
  } as const;
  const counts = workspace_id && !how.writes ? countsFor(how.machinery, workspace_id) : undefined;
  const now: TransactionState = {
    pool,
    mode,
    context,
    workspace_id,
    ...how,
    counts,
    ...begun,
    events: [],
    journaled: 0,
    has_row: false,
    closing: [],
    due: new Set(),
  };
  let broken: Error | undefined;
  try {
    return await transactionStorage.run(now, async () => {
      const worked = await work(now);
      if (mayEndLater(now)) return worked;
      await commit(now);
      if (how.writes) forgetCounts(how.machinery, now.workspace_id);
      return worked;
    });
  } catch (error) {
    const fault = faultFor(now, error);
    const lost = await rollBack(now);
    broken = isOutdated(fault) ? fault : lost;
    throw fault;
  } finally {
    // Without a connection there is nothing to release. The reason was already reported.
    const isUnended = now.state === 'open';
    now.state = 'over';
    const client = await now.connection?.catch(() => undefined);
    if (client && isUnended) releaseUnended(client);
    else if (client) release(client, broken);
  }
}

/**
 * Reads from all workspaces, on an internal connection. The name is long on purpose, and the tidy check counts its
 * uses. Sees committed data only, without the writes of this transaction.
 */
export async function everyWorkspace<Db, T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  const outside = currentTransaction();
  const pool = outside.machinery;
  const client = await connect(pool);
  // A literal of this type, so that the compiler finds a wrong name: each field replaces one of the caller's transaction.
  const now: TransactionState = {
    ...outside,
    seen: undefined,
    visibilityMode: 'everywhere',
    role: 'everywhere',
    writes: false,
    counts: undefined,
    state: 'open',
    pool,
    connection: Promise.resolve(client),
    refusal: undefined,
  };
  let broken: Error | undefined;
  try {
    return await transactionStorage.run(now, async () => await work(db));
  } catch (error) {
    const fault = faultFor(now, error);
    if (isOutdated(fault)) broken = fault;
    throw fault;
  } finally {
    now.state = 'over';
    release(client, broken);
  }
}

/** Confines a transaction that was opened without a workspace to this workspace until it ends. */
export async function enterWorkspace(workspace_id: string, actor_id: string | null): Promise<void> {
  const now = currentTransaction();
  if (now.workspace_id) throw new Error('This transaction already has a workspace.');
  now.workspace_id = workspace_id;
  const actor = actor_id && JSON.stringify({ user_id: actor_id });
  await setLocally({ workspace_id, actor_id: actor_id ?? '', actor: actor ?? '' });
}

/**
 * Works in a workspace, within a transaction of a white-label instance or without a caller. Changes by an instance or
 * its payment provider to a workspace's subscription take effect there. The transaction then continues in its previous
 * workspace.
 */
export async function runInWorkspace<T>(workspace_id: string, work: () => Promise<T>): Promise<T> {
  const now = currentTransaction();
  const { workspace_id: before, context } = now;
  if (before === workspace_id) return await work();
  if (before && !context.caller?.instance) throw new Error('This transaction already has a workspace.');
  // The earlier changes and events belong to the former workspace.
  if (before) await writeJournal(now);
  now.workspace_id = workspace_id;
  try {
    await setLocally({ workspace_id });
    const result = await work();
    await writeJournal(now);
    await setLocally({ workspace_id: before ?? '' });
    return result;
  } finally {
    now.workspace_id = before;
  }
}

/** Runs `work` so that a failure rolls back only its own changes. */
export async function withSavepoint<T>(work: () => Promise<T>): Promise<T> {
  const now = currentTransaction();
  const events_before = now.events.length;
  const closing_before = now.closing.length;
  const begun = control('SAVEPOINT attempt');
  begun.catch(() => undefined); // The error is reported below, after `work` has settled.
  try {
    const result = await work();
    await begun;
    await control('RELEASE SAVEPOINT attempt');
    return result;
  } catch (error) {
    now.events.length = events_before;
    now.journaled = Math.min(now.journaled, events_before);
    now.closing.length = closing_before;
    await control('ROLLBACK TO SAVEPOINT attempt');
    // The role and reach of the connection now depend on the statements before the savepoint.
    if (now.role !== 'everywhere') now.role = undefined;
    now.reach = undefined;
    throw faultFor(now, error);
  }
}

/**
 * Returns the name of the constraint that rejected a statement, for rules that are constraints. Prisma's own errors
 * hide the name.
 */
export function violatedConstraint(error: unknown): string | undefined {
  const refused = error instanceof Fault ? error : transactionStorage.getStore()?.refusal;
  return refused?.cause instanceof pg.DatabaseError ? refused.cause.constraint : undefined;
}
