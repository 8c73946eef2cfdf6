/** The running transaction: one connection, confined to one workspace, found by whoever works in it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { databaseFault, isOutdated } from './database-fault.ts';
import type { PendingEvent } from '../operation/events.ts';
import { Fault, Unavailable } from '../runtime/fault.ts';
import type { Caller } from '../runtime/identity.ts';
import { nameOf } from './prepared.ts';
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
  client: pg.PoolClient;
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

/** The connection of the running transaction. */
export const currentClient = (): pg.ClientBase => current().client;

/** A handler reads and changes rows; it starts no transaction, and changes no setting and no table. */
const STATEMENT = /^[\s(]*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;

/**
 * Sends a statement on the running transaction's connection; its plan is kept when it recurs. By the extended protocol even
 * without values: there, a text that somebody smuggled a second statement into is refused.
 */
export async function send(statement: pg.QueryConfig, plan?: 'planned each time'): Promise<pg.QueryResult> {
  const now = current();
  if (!STATEMENT.test(statement.text)) throw new Error('A handler reads and changes rows, and sends nothing else.');
  // A kept plan is made for a role, whose policies are part of it.
  const kept = plan ? undefined : nameOf(statement.text);
  const name = kept && now.sight === 'visible' ? `${kept}_visible` : kept;
  try {
    return await now.client.query({ ...statement, name, queryMode: 'extended' } as pg.QueryConfig);
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
export const checkConstraints = (): Promise<unknown> => current().client.query('SET CONSTRAINTS ALL IMMEDIATE');

/** Sets something for the rest of the running transaction that policies and triggers read. */
export const setLocally = (settings: Record<string, string>): Promise<unknown> =>
  current().client.query(assign(settings));

/** The one round trip that opens a transaction: who works in it, where, and what it may see. */
function opening(mode: string, context: Context, { seen, sight }: Pick<Running, 'seen' | 'sight'>): string {
  const { workspace_id, caller, operation, request_id } = context;
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

async function announce({ client, context, events }: Running): Promise<void> {
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
  await client.query({ name: 'announce', text: ANNOUNCE, values });
}

const connect = (pool: pg.Pool): Promise<pg.PoolClient> =>
  pool.connect().catch((error: unknown) => {
    throw Object.assign(Unavailable(), { cause: error });
  });

/** Opens a transaction, works in it, announces its events and commits; or leaves no trace. */
export async function transaction<T>(
  pool: pg.Pool,
  mode: string,
  context: Context,
  how: Pick<Running, 'seen' | 'sight' | 'writes' | 'machinery'>,
  work: (now: Running) => Promise<T>,
): Promise<T> {
  const connection = await connect(pool);
  const { workspace_id } = context;
  const now: Running = { client: connection, context, workspace_id, ...how, events: [], refusal: undefined };
  let broken: Error | undefined;
  try {
    await connection.query(opening(mode, context, how));
    const result = await running.run(now, async () => await work(now));
    await announce(now);
    await connection.query('COMMIT');
    return result;
  } catch (error) {
    const fault = meaning(now, error);
    if (isOutdated(fault)) broken = fault;
    await connection.query('ROLLBACK').catch((lost: Error) => {
      broken = lost;
    });
    throw fault;
  } finally {
    connection.release(broken);
  }
}

/**
 * Looks something up over all workspaces, on a connection of the machinery. Long on purpose, counted by tidy. It sees what is
 * committed, and nothing that this transaction has written.
 */
export async function everyWorkspace<Db, T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  const outside = current();
  const client = await connect(outside.machinery);
  const now: Running = { ...outside, client, seen: undefined, sight: 'everywhere', writes: false, refusal: undefined };
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
  await now.client.query('SAVEPOINT attempt');
  try {
    const result = await work();
    await now.client.query('RELEASE SAVEPOINT attempt');
    return result;
  } catch (error) {
    now.events.length = events_before;
    await now.client.query('ROLLBACK TO SAVEPOINT attempt');
    throw meaning(now, error);
  }
}

/** The name of the constraint that refused a statement, for rules that are a constraint; Prisma's own errors hide it. */
export function violatedConstraint(error: unknown): string | undefined {
  const refused = error instanceof Fault ? error : running.getStore()?.refusal;
  return refused?.cause instanceof pg.DatabaseError ? refused.cause.constraint : undefined;
}
