/** Current transaction: one connection, confined to one workspace, with its role; found through the async context. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { connect, connectFor, release } from '../pool/connections.ts';
import type { Counts } from './list-counts.ts';
import { databaseFault, isAborted } from './database-fault.ts';
import type { PendingEvent } from '../operation/events.ts';
import type { Fault } from '../runtime/fault.ts';
import type { Caller } from '../identity/identity.ts';
import { assign } from './settings.ts';
import { statementName, wordsIn } from './statements.ts';
import { statementTimeout } from './sql.ts';
import { type RecordScopeKind, ROLES, type CallerView, type VisibilityMode } from '../visibility/caller-view.ts';

type SessionRole = VisibilityMode | 'everywhere';

/** The purpose of a transaction, recorded in the journal. */
export interface TransactionContext {
  /** The workspace that the transaction cannot leave. Null for work that must first find it (a login). */
  workspace_id: string | null;
  caller: Caller | null;
  operation: string;
  request_id: string;
  trace_id?: string | null;
  /** The time when the caller stops waiting, by `performance.now()`. Undefined if no caller waits. */
  ends_at?: number | undefined;
}

export interface TransactionState {
  /** Source of the connection, and the mode that begins its transaction. */
  pool: pg.Pool;
  mode: string;
  /** The connection, from the first statement on. Work without statements uses no connection. */
  connection: Promise<pg.PoolClient> | undefined;
  /** State of the transaction. It begins with its first statement and accepts none once it is over. */
  state: 'new' | 'open' | 'over';
  /** Role of the connection after the statements already sent. Each statement switches to the role it needs. */
  role: SessionRole | undefined;
  /** Record scope after the statements already sent. Each statement switches to the scope it needs. */
  reach: RecordScopeKind | undefined;
  /** Internal connections, for look-ups beyond the workspace. */
  machinery: pg.Pool;
  context: TransactionContext;
  workspace_id: string | null;
  seen: CallerView | undefined;
  /** The visibility mode of the whole transaction. Parts of its work can have another. */
  visibilityMode: SessionRole;
  writes: boolean;
  /** Cached counts of this workspace, for read-only transactions. */
  counts: Counts | undefined;
  events: PendingEvent[];
  /** Number of events that the journal contains already. */
  journaled: number;
  /** True if the journal has a row of this transaction. */
  has_row: boolean;
  /** Internal statements that are sent with the commit. */
  closing: { text: string; values: unknown[] }[];
  /** The schedules with work that is due after the commit. */
  due: Set<string>;
  /** The error of the database, because Prisma wraps errors in its own. */
  refusal: Fault | undefined;
  /** A flag for a failed statement, after which PostgreSQL rolls the transaction back. */
  failed: boolean;
}

export const transactionStorage = new AsyncLocalStorage<TransactionState>();

/**
 * The visibility mode of an asynchronous call chain within a transaction. Each concurrent chain has its own. A mode of
 * the whole transaction would change while other statements wait.
 */
const modes = new AsyncLocalStorage<{ of: TransactionState; mode: VisibilityMode; reach: RecordScopeKind }>();

/** Returns the visibility mode of the current work. */
function viewOf(now: TransactionState): { mode: SessionRole; reach: RecordScopeKind } {
  const view = modes.getStore();
  return view?.of === now ? view : { mode: now.visibilityMode, reach: 'listed' };
}

/** Returns the current transaction. @throws an Error outside any transaction */
export function currentTransaction(): TransactionState {
  const now = transactionStorage.getStore();
  if (!now) throw new Error('A statement was sent outside of a transaction.');
  return now;
}

/** Checks the deferred constraints of the current transaction immediately. */
export const checkConstraints = (): Promise<unknown> => control('SET CONSTRAINTS ALL IMMEDIATE');

/** Sets values that policies and triggers read, for the rest of the current transaction. */
export const setLocally = (settings: Record<string, string>): Promise<unknown> => control(assign(settings));

/** Returns the statements that open a transaction in one round trip: caller, workspace and visibility. */
function openingStatements({ mode, context, workspace_id, seen, writes }: TransactionState, role: SessionRole): string {
  const { caller, operation, request_id } = context;
  const actor =
    caller && JSON.stringify({ user_id: caller.user_id, session_id: caller.session_id, api_key_id: caller.api_key_id });
  const reach = seen && JSON.stringify(seen.reach.listed);
  const team = caller?.team?.join() ?? '';
  const limits = seen && { reach, kind: caller?.kind, team: `{${team}}` };
  // A read-only transaction writes nothing to the journal.
  const audited = writes && { actor, operation, request_id, journal: 'on' };
  const instance = caller?.instance && { wl_instance_id: caller.instance.id, wl_mode: caller.instance.mode };
  const settings = assign({ workspace_id, actor_id: caller?.user_id, ...audited, ...limits, ...instance });
  return `BEGIN ${mode}; ${statementTimeout(context.ends_at)}${role === 'everywhere' ? '' : `SET LOCAL ROLE ${ROLES[role]}; `}${settings}`;
}

/**
 * Connections whose last transaction only read, with the timer that ends it. The next transaction ends it in its first packet
 * instead, which saves a packet, its response and a process switch.
 * Chosen: a connection is held for 10 ms, because a busy connection serves another request within this time, and locks
 * do not matter for this time.
 */
const unended = new WeakMap<pg.PoolClient, NodeJS.Timeout>();
const END_LATER_MS = 10;

/** Releases a connection whose transaction has nothing to commit. No caller waits for its end. */
export function releaseUnended(client: pg.PoolClient): void {
  const end = () => unended.delete(client) && client.query('COMMIT').catch(() => undefined);
  unended.set(client, setTimeout(end, END_LATER_MS).unref());
  release(client);
}

/** Returns the role for a statement. If every row of its tables is visible, policies are skipped for speed. */
export function roleFor(now: TransactionState, text: string): SessionRole {
  const { seen } = now;
  const { mode, reach } = viewOf(now);
  if (mode !== 'visible' || !seen || reach === 'counted') return mode;
  const words = wordsIn(text);
  return words !== 'unknown' && seen.wholeAmong(words) ? 'true' : mode;
}

/** Sets the record scope that policies read, if a statement needs another than the previous one. */
function setReach(now: TransactionState): string | undefined {
  const { reach } = viewOf(now);
  if (!now.seen || now.role !== 'visible' || reach === now.reach) return undefined;
  now.reach = reach;
  return assign({ reach: JSON.stringify(now.seen.reach[reach]) });
}

/** Returns the statements to send first. They open the transaction, or change the role and the record scope. */
function preamble(now: TransactionState, client: pg.PoolClient, role: SessionRole | undefined): string | undefined {
  const { state, role: before } = now;
  if (state === 'new') clearTimeout(unended.get(client));
  now.state = 'open';
  now.role = role ?? (state === 'new' ? now.visibilityMode : before);
  const parts: (string | undefined)[] = [];
  if (state === 'new') parts.push(`${unended.delete(client) ? 'COMMIT; ' : ''}${openingStatements(now, now.role!)}`);
  else if (role !== undefined && role !== before && role !== 'everywhere') parts.push(`SET LOCAL ROLE ${ROLES[role]}`);
  parts.push(setReach(now));
  const sent = parts.filter((part) => part !== undefined);
  return sent.length > 0 ? sent.join('; ') : undefined;
}

/** Buffers the output until the end of this event-loop iteration, so that it is sent as one packet. */
function corkForThisTurn({ connection: { stream } }: pg.PoolClient): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/**
 * Sends a statement after the previous ones without waiting for their answers. Each write to a socket costs as much as
 * a simple statement. PostgreSQL rejects everything after a failed statement.
 * @param role role for the statement. Defaults to the current role
 */
export async function sendPipelined<Row extends pg.QueryResultRow>(
  now: TransactionState,
  role: SessionRole | undefined,
  statement: string | pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  const { pool, machinery, context } = now;
  now.connection ??= pool === machinery ? connect(pool) : connectFor(pool, context.workspace_id);
  const client = await now.connection;
  if (now.state === 'over') throw new Error('A statement was sent after the end of its transaction.');
  corkForThisTurn(client);
  const first = preamble(now, client, role);
  try {
    if (!first) return await client.query<Row>(statement);
    const [, answer] = await Promise.all([client.query(first), client.query<Row>(statement)]);
    return answer;
  } catch (error) {
    now.failed = true;
    throw error;
  }
}

/** Returns the name of a statement's kept plan. Each role has its own plan, with its policies. */
function planOf({ pool }: TransactionState, text: string, role: SessionRole): string | undefined {
  const name = statementName(pool, text);
  return name && role === 'visible' ? `${name}_visible` : name;
}

/** Sends an internal statement in the current transaction. */
export function execute<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<pg.QueryResult<Row>> {
  const now = currentTransaction();
  const role = roleFor(now, text);
  return sendPipelined(now, role, { name: planOf(now, text, role), text, values } as pg.QueryConfig);
}

/** Sends a statement of the machinery with the commit of the current transaction, without awaiting it. */
export function executeLast(text: string, values: unknown[]): void {
  currentTransaction().closing.push({ text, values });
}

/**
 * Starts a schedule right after the commit of the current transaction, instead of at the end of its interval. Used when
 * a caller waits for the result. If this process ends before that, the next regular run finds the work.
 */
export const runAfterCommit = (schedule: string): void => void currentTransaction().due.add(schedule);

/** Sends a statement about the transaction itself, in its current role. */
export function control(text: string): Promise<unknown> {
  const now = currentTransaction();
  return sendPipelined(now, undefined, text);
}

/** Statements that handlers may send: they change rows, but no transactions, settings or tables. */
const STATEMENT = /^[\s(]*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;

/**
 * Sends a handler's statement on the current transaction's connection. The plan is kept if the statement recurs. Uses
 * the extended protocol even without values, because it rejects a text with an injected second statement.
 */
export async function send(statement: pg.QueryConfig, plan?: 'planned each time'): Promise<pg.QueryResult> {
  const now = currentTransaction();
  const { text } = statement;
  if (!STATEMENT.test(text)) throw new Error('Handlers can only read and change rows.');
  const role = roleFor(now, text);
  const name = plan ? undefined : planOf(now, text, role);
  try {
    return await sendPipelined(now, role, { ...statement, name, queryMode: 'extended' } as pg.QueryConfig);
  } catch (error) {
    // If statements were sent together, the first failed one contains the reason.
    if (!isAborted(error)) now.refusal = databaseFault(error, now.seen?.whole);
    throw error;
  }
}

/** Runs `work` with another visibility mode. Concurrent work in the same transaction keeps its own mode. */
async function withView<T>(mode: VisibilityMode, reach: RecordScopeKind, work: () => Promise<T>): Promise<T> {
  const now = currentTransaction();
  const before = viewOf(now);
  const isSame = before.mode === mode && before.reach === reach;
  if (!now.seen || before.mode === 'everywhere' || isSame) return await work();
  return await modes.run({ of: now, mode, reach }, async () => await work());
}

/**
 * Runs `work` on the records that the caller may see, for example for the response of a command or a position on a
 * board. Costs nothing for a caller who sees everything.
 */
export const asCaller = <T>(work: () => Promise<T>): Promise<T> => withView('visible', 'listed', work);

/** Looks up the records that a path names, among the records that the caller may work on. */
export const asCallerForLookup = <T>(work: () => Promise<T>): Promise<T> => withView('visible', 'named', work);

/**
 * Counts only the records that the caller could list. Returns none for a kind that the caller lacks permission to view,
 * even if the table's visibility rule leaves that check to the operations.
 */
export const asCallerForCounts = <T>(work: () => Promise<T>): Promise<T> => withView('visible', 'counted', work);

/**
 * Ignores the visibility of records during `work`, in a query whose totals are meant for every permitted caller. The
 * name is long on purpose, and tidy counts its uses. Outsiders get no additional access.
 */
export async function regardlessOfVisibility<T>(work: () => Promise<T>): Promise<T> {
  const kind = currentTransaction().context.caller?.kind;
  return kind === 'owner' || kind === 'staff' ? await withView('true', 'listed', work) : await work();
}

/** Runs `work` on unrestricted data, within `asCaller` in a command. A query never sees more than its caller. */
export const unrestricted = async <T>(work: () => Promise<T>): Promise<T> =>
  currentTransaction().writes ? await withView('true', 'listed', work) : await work();
