/** The running transaction: one connection, confined to one workspace, found by whoever works in it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { databaseFault, isOutdated } from './database-fault.ts';
import type { PendingEvent } from '../operation/events.ts';
import { Fault, Unavailable } from '../runtime/fault.ts';
import type { Caller } from '../runtime/identity.ts';
import { nameOf, wordsIn } from './statements.ts';
import { ROLES, type Seen, type Sight } from './visibility.ts';

/** What a transaction is opened for; it ends up in the audit log and in the events. */
export interface Context {
  /** The workspace that the transaction cannot leave; null for work that must first find out (a login). */
  workspace_id: string | null;
  caller: Caller | null;
  operation: string;
  request_id: string;
  trace_id?: string | null;
}

export interface Running {
  /** Where the connection comes from, and how its transaction begins. */
  pool: pg.Pool;
  mode: string;
  /** The connection, from the first statement on: who asks nothing takes none. */
  client: pg.PoolClient | undefined;
  /** The role that the connection has now; statements bring it to the one that they need. */
  role: Sight | 'everywhere' | undefined;
  /** The statement before: a connection does one at a time. */
  last: Promise<unknown>;
  /** Connections of the machinery, for look-ups beyond the workspace. */
  machinery: pg.Pool;
  context: Context;
  workspace_id: string | null;
  seen: Seen | undefined;
  sight: Sight | 'everywhere';
  writes: boolean;
  events: { event: PendingEvent; workspace_id: string }[];
  /** What the database refused, since Prisma wraps errors into its own. */
  refusal: Fault | undefined;
}

const running = new AsyncLocalStorage<Running>();

/** The transaction that runs now. @throws an Error outside of any */
export function current(): Running {
  const now = running.getStore();
  if (!now) throw new Error('A statement was sent outside of a transaction.');
  return now;
}

/** Brings the connection of a transaction to a role; takes it and opens the transaction when this is the first statement. */
async function connectionAs(now: Running, role: Sight | 'everywhere'): Promise<pg.PoolClient> {
  if (!now.client) {
    now.client = await connect(now.pool);
    await now.client.query(opening(now, role));
  } else if (now.role !== role) {
    await now.client.query(`SET LOCAL ROLE ${ROLES[role as Sight]}`);
  }
  now.role = role;
  return now.client;
}

/** Where each row of all tables that a statement reads is visible, it is answered alike without the policies, and faster. */
function roleFor({ sight, seen }: Running, text: string): Sight | 'everywhere' {
  if (sight !== 'visible' || !seen) return sight;
  const words = wordsIn(text);
  return words !== 'unknown' && seen.wholeAmong(words) ? 'true' : sight;
}

/** Sends a statement after those before it. */
function inTurn<Row extends pg.QueryResultRow>(
  now: Running,
  role: Sight | 'everywhere',
  statement: string | pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  const answer = now.last.then(async () => {
    const client = await connectionAs(now, role);
    return await client.query<Row>(statement);
  });
  now.last = answer.catch(() => undefined);
  return answer;
}

/** Sends a statement of the machinery in the running transaction. */
export function execute<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<pg.QueryResult<Row>> {
  const now = current();
  return inTurn(now, roleFor(now, text), { text, values });
}

/** Says something of the transaction itself, as whoever it works as. */
function control(text: string): Promise<unknown> {
  const now = current();
  return inTurn(now, now.role ?? now.sight, text);
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
  // A kept plan is made for a role, whose policies are part of it.
  const kept = plan ? undefined : nameOf(text);
  const role = roleFor(now, text);
  const name = kept && role === 'visible' ? `${kept}_visible` : kept;
  try {
    return await inTurn(now, role, { ...statement, name, queryMode: 'extended' } as pg.QueryConfig);
  } catch (error) {
    now.refusal = databaseFault(error);
    throw error;
  }
}

/** What an error means for a caller: what the database refused becomes a fault. */
function meaning(now: Running, error: unknown): unknown {
  const { refusal } = now;
  now.refusal = undefined;
  return error instanceof Fault ? error : (refusal ?? databaseFault(error) ?? error);
}

/**
 * Settings as statements. Whoever can only smuggle something into a query cannot send one, and the function that does the
 * same, `set_config`, is not theirs to call.
 */
const assign = (settings: Record<string, string | null | undefined>): string =>
  Object.entries(settings)
    .map(([name, value]) => `SET LOCAL suite.${name} = ${pg.escapeLiteral(value ?? '')}`)
    .join('; ');

/** Checks now what is checked only at the end of the running transaction. */
export const checkConstraints = (): Promise<unknown> => control('SET CONSTRAINTS ALL IMMEDIATE');

/** Sets something for the rest of the running transaction that policies and triggers read. */
export const setLocally = (settings: Record<string, string>): Promise<unknown> => control(assign(settings));

/** The one round trip that opens a transaction: who works in it, where, and what it may see. */
function opening({ mode, context, workspace_id, seen }: Running, sight: Sight | 'everywhere'): string {
  const { caller, operation, request_id } = context;
  const actor =
    caller && JSON.stringify({ user_id: caller.user_id, session_id: caller.session_id, api_key_id: caller.api_key_id });
  const reach = seen && JSON.stringify(seen.reach);
  const team = caller?.team?.join() ?? '';
  const limits = seen && { reach, kind: caller?.kind, team: `{${team}}` };
  const settings = assign({ workspace_id, actor_id: caller?.user_id, actor, operation, request_id, ...limits });
  const role = sight === 'everywhere' ? '' : `SET LOCAL ROLE ${ROLES[sight]}; `;
  return `BEGIN ${mode}; ${role}${settings}`;
}

/** All events of a transaction at once. Their records are counted in the order of their ids: nobody waits in a circle. */
const ANNOUNCE = `
  WITH told AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::text[])
      WITH ORDINALITY AS told (id, workspace_id, type, schema_version, aggregate_id, data, place)),
  counted AS (
    INSERT INTO aggregate_versions AS a (workspace_id, aggregate_id, version)
    SELECT workspace_id, aggregate_id, count(*) FROM told
    GROUP BY workspace_id, aggregate_id ORDER BY workspace_id, aggregate_id
    ON CONFLICT (workspace_id, aggregate_id) DO UPDATE SET version = a.version + excluded.version
    RETURNING workspace_id, aggregate_id, version)
  INSERT INTO outbox (id, workspace_id, type, schema_version, aggregate_id, aggregate_version, actor, trace_id, request_id, data)
  SELECT id, workspace_id, type, schema_version, aggregate_id,
    version - count(*) OVER same + row_number() OVER (same ORDER BY place),
    nullif(current_setting('suite.actor'), '')::jsonb, $7, nullif(current_setting('suite.request_id'), ''), data::jsonb
  FROM told JOIN counted USING (workspace_id, aggregate_id)
  WINDOW same AS (PARTITION BY workspace_id, aggregate_id)
  ORDER BY place`;

async function announce(now: Running): Promise<void> {
  const { context, events } = now;
  if (events.length === 0) return;
  const column = <T>(read: (told: Running['events'][number]) => T): T[] => events.map(read);
  const values = [
    column(({ event }) => event.id),
    column(({ workspace_id }) => workspace_id),
    column(({ event }) => event.type),
    column(({ event }) => event.schema_version),
    column(({ event }) => event.aggregate_id),
    column(({ event }) => JSON.stringify(event.data)),
    context.trace_id ?? null,
  ];
  await inTurn(now, now.sight, { name: 'announce', text: ANNOUNCE, values });
}

const connect = (pool: pg.Pool): Promise<pg.PoolClient> =>
  pool.connect().catch((error: unknown) => {
    throw Object.assign(Unavailable(), { cause: error });
  });

/**
 * Works in a transaction, announces its events and commits; or leaves no trace. It begins with the first statement: work
 * that sends none takes no connection.
 */
export async function transaction<T>(
  pool: pg.Pool,
  mode: string,
  context: Context,
  how: Pick<Running, 'seen' | 'sight' | 'writes' | 'machinery'>,
  work: (now: Running) => Promise<T>,
): Promise<T> {
  const { workspace_id } = context;
  const begun = { client: undefined, role: undefined, last: Promise.resolve(), events: [], refusal: undefined };
  const now: Running = { pool, mode, context, workspace_id, ...how, ...begun };
  let broken: Error | undefined;
  try {
    const result = await running.run(now, async () => {
      const worked = await work(now);
      await announce(now);
      return worked;
    });
    await now.last;
    await now.client?.query('COMMIT');
    return result;
  } catch (error) {
    const fault = meaning(now, error);
    if (isOutdated(fault)) broken = fault;
    await now.last;
    await now.client?.query('ROLLBACK').catch((lost: Error) => {
      broken = lost;
    });
    throw fault;
  } finally {
    now.client?.release(broken);
  }
}

/**
 * Looks something up over all workspaces, on a connection of the machinery. Long on purpose, counted by tidy. It sees what is
 * committed, and nothing that this transaction has written.
 */
export async function everyWorkspace<Db, T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  const outside = current();
  const client = await connect(outside.machinery);
  const everywhere = { seen: undefined, sight: 'everywhere', role: 'everywhere', writes: false } as const;
  const now: Running = { ...outside, ...everywhere, client, last: Promise.resolve(), refusal: undefined };
  let broken: Error | undefined;
  try {
    return await running.run(now, async () => await work(db));
  } catch (error) {
    const fault = meaning(now, error);
    if (isOutdated(fault)) broken = fault;
    throw fault;
  } finally {
    client.release(broken);
  }
}

/** Confines a transaction that was opened without a workspace to the one that was found, until it ends. */
export async function enterWorkspace(workspace_id: string, actor_id: string | null): Promise<void> {
  const now = current();
  if (now.workspace_id) throw new Error('This transaction has a workspace already.');
  now.workspace_id = workspace_id;
  const actor = actor_id && JSON.stringify({ user_id: actor_id });
  await setLocally({ workspace_id, actor_id: actor_id ?? '', actor: actor ?? '' });
}

/** Runs `work` so that its failure undoes only itself and not what the transaction did before. */
export async function attempt<T>(work: () => Promise<T>): Promise<T> {
  const now = current();
  const events_before = now.events.length;
  await control('SAVEPOINT attempt');
  const { role } = now;
  try {
    const result = await work();
    await control('RELEASE SAVEPOINT attempt');
    return result;
  } catch (error) {
    now.events.length = events_before;
    await control('ROLLBACK TO SAVEPOINT attempt');
    now.role = role;
    throw meaning(now, error);
  }
}

/** The name of the constraint that refused a statement, for rules that are a constraint; Prisma's own errors hide it. */
export function violatedConstraint(error: unknown): string | undefined {
  const refused = error instanceof Fault ? error : running.getStore()?.refusal;
  return refused?.cause instanceof pg.DatabaseError ? refused.cause.constraint : undefined;
}
