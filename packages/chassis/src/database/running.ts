/** The running transaction: one connection, confined to one workspace, found by whoever works in it, and as whom it speaks. */
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { connect, connectFor, release } from './connections.ts';
import type { Counts } from './list-counts.ts';
import { databaseFault, isAborted } from './database-fault.ts';
import type { PendingEvent } from '../operation/events.ts';
import type { Fault } from '../runtime/fault.ts';
import type { Caller } from '../identity/identity.ts';
import { nameOf, wordsIn } from './statements.ts';
import { statementTimeout } from './sql.ts';
import { type ReachKind, ROLES, type Seen, type Sight } from '../visibility/seen.ts';

/** The purpose of a transaction; it ends up in the audit log and in the events. */
export interface Context {
  /** The workspace that the transaction cannot leave; null for work that must first find out (a login). */
  workspace_id: string | null;
  caller: Caller | null;
  operation: string;
  request_id: string;
  trace_id?: string | null;
  /** When the caller stops waiting, by `performance.now()`; undefined if nothing waits for an answer. */
  ends_at?: number | undefined;
}

export interface Running {
  /** Where the connection comes from, and how its transaction begins. */
  pool: pg.Pool;
  mode: string;
  /** The connection, from the first statement on: who asks nothing takes none. */
  connection: Promise<pg.PoolClient> | undefined;
  /** It is not begun before its first statement, and takes no further one once it is over. */
  state: 'new' | 'open' | 'over';
  /** The role that the connection has after what was sent; statements bring it to the one that they need. */
  role: Sight | 'everywhere' | undefined;
  /** The reach that the policies find in the settings after what was sent; statements bring it to the one that they need. */
  reach: ReachKind | undefined;
  /** Connections of the machinery, for look-ups beyond the workspace. */
  machinery: pg.Pool;
  context: Context;
  workspace_id: string | null;
  seen: Seen | undefined;
  /** The view of the whole transaction; a part of its work may have another. */
  sight: Sight | 'everywhere';
  writes: boolean;
  /** Remembered counts of this workspace, for transactions that only read. */
  counts: Counts | undefined;
  events: { event: PendingEvent; workspace_id: string }[];
  /** How many of them are written. */
  announced: number;
  /** Statements of the machinery that are sent with the commit. */
  closing: { text: string; values: unknown[] }[];
  /** The schedules for which it has left work that is due once it is committed. */
  due: Set<string>;
  /** The refusal of the database, since Prisma wraps errors into its own. */
  refusal: Fault | undefined;
  /** A statement has failed, so that PostgreSQL undoes the transaction. */
  failed: boolean;
}

export const running = new AsyncLocalStorage<Running>();

/**
 * The view of a chain of calls within a transaction. A chain that runs concurrently with others has its own: a state of the
 * transaction would be changed under statements that wait.
 */
const views = new AsyncLocalStorage<{ of: Running; sight: Sight; reach: ReachKind }>();

/** The view of the work that runs now. */
function viewOf(now: Running): { sight: Sight | 'everywhere'; reach: ReachKind } {
  const view = views.getStore();
  return view?.of === now ? view : { sight: now.sight, reach: 'listed' };
}

/** The transaction that runs now. @throws an Error outside of any */
export function current(): Running {
  const now = running.getStore();
  if (!now) throw new Error('A statement was sent outside of a transaction.');
  return now;
}

/** Hardly a setting has anything to escape, which the driver would find out letter by letter. */
const literal = (value: string): string => (/['\\]/.test(value) ? pg.escapeLiteral(value) : `'${value}'`);

/** Settings as statements. A query with injected text cannot send one, and requests may not call `set_config`. */
const assign = (settings: Record<string, string | null | undefined>): string =>
  Object.entries(settings)
    .map(([name, value]) => `SET LOCAL suite.${name} = ${literal(value ?? '')}`)
    .join('; ');

/** Checks now what is checked only at the end of the running transaction. */
export const checkConstraints = (): Promise<unknown> => control('SET CONSTRAINTS ALL IMMEDIATE');

/** Sets something for the rest of the running transaction that policies and triggers read. */
export const setLocally = (settings: Record<string, string>): Promise<unknown> => control(assign(settings));

/** The one round trip that opens a transaction: who works in it, where, and what it may see. */
function opening({ mode, context, workspace_id, seen, writes }: Running, sight: Sight | 'everywhere'): string {
  const { caller, operation, request_id } = context;
  const actor =
    caller && JSON.stringify({ user_id: caller.user_id, session_id: caller.session_id, api_key_id: caller.api_key_id });
  const reach = seen && JSON.stringify(seen.reach.listed);
  const team = caller?.team?.join() ?? '';
  const limits = seen && { reach, kind: caller?.kind, team: `{${team}}` };
  // A transaction that only reads leaves nothing in the audit log.
  const audited = writes && { actor, operation, request_id };
  const instance = caller?.instance && { wl_instance_id: caller.instance.id, wl_mode: caller.instance.mode };
  const settings = assign({ workspace_id, actor_id: caller?.user_id, ...audited, ...limits, ...instance });
  const role = sight === 'everywhere' ? '' : `SET LOCAL ROLE ${ROLES[sight]}; `;
  return `BEGIN ${mode}; ${statementTimeout(context.ends_at)}${role}${settings}`;
}

/**
 * Connections whose last transaction only read and is not ended yet. The next one ends it in the packet with which it
 * begins; where none follows in this turn of the event loop, it is ended by itself.
 */
const unended = new WeakSet<pg.PoolClient>();

/** Gives a connection back whose transaction has nothing to write down: nobody need wait for its end. */
export function releaseUnended(client: pg.PoolClient): void {
  unended.add(client);
  setImmediate(() => {
    if (unended.delete(client)) client.query('COMMIT').catch(() => undefined);
  });
  release(client);
}

/** Where each row of all tables that a statement reads is visible, it is answered alike without the policies, and faster. */
export function roleFor(now: Running, text: string): Sight | 'everywhere' {
  const { seen } = now;
  const { sight, reach } = viewOf(now);
  if (sight !== 'visible' || !seen || reach === 'counted') return sight;
  const words = wordsIn(text);
  return words !== 'unknown' && seen.wholeAmong(words) ? 'true' : sight;
}

/** Sets the reach that the policies read, where a statement needs another than the one before it. */
function setReach(now: Running): string | undefined {
  const { reach } = viewOf(now);
  if (!now.seen || now.role !== 'visible' || reach === now.reach) return undefined;
  now.reach = reach;
  return assign({ reach: JSON.stringify(now.seen.reach[reach]) });
}

/** The statements to send first: they open the transaction, or change the role and the reach. */
function preamble(now: Running, client: pg.PoolClient, role: Sight | 'everywhere' | undefined): string | undefined {
  const { state, role: before } = now;
  now.state = 'open';
  now.role = role ?? (state === 'new' ? now.sight : before);
  const parts: (string | undefined)[] = [];
  if (state === 'new') parts.push(`${unended.delete(client) ? 'COMMIT; ' : ''}${opening(now, now.role!)}`);
  else if (role !== undefined && role !== before && role !== 'everywhere') parts.push(`SET LOCAL ROLE ${ROLES[role]}`);
  parts.push(setReach(now));
  const sent = parts.filter((part) => part !== undefined);
  return sent.length > 0 ? sent.join('; ') : undefined;
}

/** Holds back what is sent until the end of this turn of the event loop, so that it goes out as one packet. */
function corkForThisTurn({ connection: { stream } }: pg.PoolClient): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/**
 * Sends a statement behind those before it, without waiting for their answers: each write to a socket costs as much as a
 * simple statement. PostgreSQL refuses what follows a statement that failed.
 * @param role as which it is sent; whichever it is now, when it is not given
 */
export async function inTurn<Row extends pg.QueryResultRow>(
  now: Running,
  role: Sight | 'everywhere' | undefined,
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

/** The name of a statement's kept plan, which is made for a role: its policies are part of it. */
function planOf({ pool }: Running, text: string, role: Sight | 'everywhere'): string | undefined {
  const name = nameOf(pool, text);
  return name && role === 'visible' ? `${name}_visible` : name;
}

/** Sends a statement of the machinery in the running transaction. */
export function execute<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<pg.QueryResult<Row>> {
  const now = current();
  const role = roleFor(now, text);
  return inTurn(now, role, { name: planOf(now, text, role), text, values } as pg.QueryConfig);
}

/** Sends a statement of the machinery with the commit of the running transaction; its answer nobody waits for. */
export function executeLast(text: string, values: unknown[]): void {
  current().closing.push({ text, values });
}

/**
 * Lets a schedule begin as soon as the running transaction has committed, instead of at the end of its interval: somebody waits
 * for what it does. Should this process end before, the schedule finds the work at its next turn, as all other work.
 */
export const dueAtOnce = (schedule: string): void => void current().due.add(schedule);

/** Says something of the transaction itself, as whoever it works as. */
export function control(text: string): Promise<unknown> {
  const now = current();
  return inTurn(now, undefined, text);
}

/** A handler reads and changes rows; it starts no transaction, and changes no setting and no table. */
const STATEMENT = /^[\s(]*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;

/**
 * Sends a handler's statement on the running transaction's connection; its plan is kept when it recurs. By the extended
 * protocol even without values: there, a text that somebody smuggled a second statement into is refused.
 */
export async function send(statement: pg.QueryConfig, plan?: 'planned each time'): Promise<pg.QueryResult> {
  const now = current();
  const { text } = statement;
  if (!STATEMENT.test(text)) throw new Error('A handler reads and changes rows, and sends nothing else.');
  const role = roleFor(now, text);
  const name = plan ? undefined : planOf(now, text, role);
  try {
    return await inTurn(now, role, { ...statement, name, queryMode: 'extended' } as pg.QueryConfig);
  } catch (error) {
    // Of statements that were sent together, the first that failed says why.
    if (!isAborted(error)) now.refusal = databaseFault(error, now.seen?.whole);
    throw error;
  }
}

/** Runs `work` with another view. Work that runs concurrently in the same transaction keeps its own. */
async function withView<T>(sight: Sight, reach: ReachKind, work: () => Promise<T>): Promise<T> {
  const now = current();
  const before = viewOf(now);
  const isSame = before.sight === sight && before.reach === reach;
  if (!now.seen || before.sight === 'everywhere' || isSame) return await work();
  return await views.run({ of: now, sight, reach }, async () => await work());
}

/**
 * Runs `work` on what the caller may see: for what a command answers, and for what it takes from the caller's view, such
 * as a position on a board. Costs nothing for somebody who sees everything.
 */
export const asSeen = <T>(work: () => Promise<T>): Promise<T> => withView('visible', 'listed', work);

/** Looks for records that a path names, among those that the caller may work on. */
export const asNamed = <T>(work: () => Promise<T>): Promise<T> => withView('visible', 'named', work);

/**
 * Counts the records that the caller could list: of a kind whose permission to view the caller lacks, none, even where the
 * visibility of its table leaves that decision to the operations.
 */
export const asCounted = <T>(work: () => Promise<T>): Promise<T> => withView('visible', 'counted', work);

/**
 * Leaves the visibility of records for the time of `work`, in a query whose figures are meant for everybody who may ask for
 * them: books are sound or they are not, whoever looks. Long on purpose, counted by tidy. It opens nothing to outsiders.
 */
export async function regardlessOfVisibility<T>(work: () => Promise<T>): Promise<T> {
  const kind = current().context.caller?.kind;
  return kind === 'owner' || kind === 'staff' ? await withView('true', 'listed', work) : await work();
}

/** Runs `work` on what is true again, within `asSeen` in a command. What a query sees, nothing widens. */
export const asTrue = async <T>(work: () => Promise<T>): Promise<T> =>
  current().writes ? await withView('true', 'listed', work) : await work();
