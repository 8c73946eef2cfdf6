import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Sql } from '@prisma/client/runtime/client';
import pg from 'pg';
import { databaseFault, isConflict } from './database-fault.ts';
import { type EventMessage, type PendingEvent, pending } from './events.ts';
import { Fault, Unavailable } from './fault.ts';
import type { Caller } from './identity.ts';
import { jsonReady } from './json-ready.ts';

/** What a transaction is opened for; it ends up in the audit log and in the events. */
export interface Context {
  /** The workspace that the transaction cannot leave; null for work that must first find out (a login). */
  workspace_id: string | null;
  caller: Caller | null;
  operation: string;
  request_id: string;
  trace_id?: string | null;
}

/** Announces an event: it is written in the transaction and published after the commit. */
export type Emit = <T>(event: EventMessage<T>, value: T) => void;

type Outside =
  | '$transaction'
  | '$connect'
  | '$disconnect'
  | '$extends'
  | '$on'
  | '$use'
  | '$queryRawUnsafe'
  | '$executeRawUnsafe';

/** A Prisma client as a handler sees it: whatever it does happens in the running transaction, inside its workspace. */
export type Confined<Client> = Omit<Client, Outside> & Rows;

export interface Rows {
  /** Runs one statement and returns its rows ready for JSON: numerics and instants as strings, days as YYYY-MM-DD. */
  rows<Row = Record<string, unknown>>(statement: Sql): Promise<Row[]>;
}

export interface Database<Db = unknown> {
  /** Connections as the owner of the tables, for the machinery (relay, inbox, parked messages). */
  pool: pg.Pool;
  /** How many statements handlers have sent so far; tests count with it. */
  readonly statements: number;
  /** Reads in one read-only snapshot, confined to the context's workspace. */
  read<T>(context: Context, work: (db: Db) => Promise<T>): Promise<T>;
  /** Writes in one transaction with its events; repeated when PostgreSQL asks for it (serialization, deadlock). */
  write<T>(context: Context, work: (db: Db, emit: Emit) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Running {
  client: pg.PoolClient;
  context: Context;
  workspace_id: string | null;
  events: { event: PendingEvent; workspace_id: string }[];
  /** What the database refused, since Prisma wraps errors into its own. */
  refusal: Fault | undefined;
}

const running = new AsyncLocalStorage<Running>();
const ATTEMPTS = 5;

function current(): Running {
  const now = running.getStore();
  if (!now) throw new Error('A statement was sent outside of a transaction.');
  return now;
}

/** The connection of the running transaction. */
export const currentClient = (): pg.ClientBase => current().client;

/**
 * What Prisma takes for a pool. Every statement goes to the connection of the running transaction, so that Prisma and
 * plain SQL share one transaction that this file opens; Prisma's own nested transactions become part of it.
 */
class LentConnection extends pg.Pool {
  readonly count: () => void;

  constructor(count: () => void) {
    super();
    this.count = count;
  }

  // biome-ignore format: the signature of pg's overloads
  override query(statement: unknown): never {
    this.count();
    return send(statement as pg.QueryConfig) as never;
  }

  override connect(): never {
    const { client } = current();
    const nested = {
      query: (statement: pg.QueryConfig) =>
        /^(BEGIN|COMMIT|ROLLBACK)$/.test(statement.text)
          ? Promise.resolve({ rows: [], fields: [], rowCount: 0 })
          : this.query(statement),
      on: () => client,
      removeListener: () => client,
      release: () => undefined,
    };
    return Promise.resolve(nested) as never;
  }
}

async function send(statement: pg.QueryConfig): Promise<pg.QueryResult> {
  const now = current();
  try {
    return await now.client.query(statement);
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

/** The one round trip that opens a transaction: who works in it, where, and what it may see. */
function opening(mode: string, { workspace_id, caller, operation, request_id }: Context): string {
  const actor =
    caller && JSON.stringify({ user_id: caller.user_id, session_id: caller.session_id, api_key_id: caller.api_key_id });
  const settings = { workspace_id, actor_id: caller?.user_id, actor, operation, request_id };
  const assign = Object.entries(settings).map(
    ([name, value]) => `set_config('suite.${name}', ${pg.escapeLiteral(value ?? '')}, true)`,
  );
  return `BEGIN ${mode}; SET LOCAL ROLE suite_confined; SELECT ${assign.join(', ')}`;
}

const ANNOUNCE = `
  WITH next AS (
    INSERT INTO aggregate_versions AS a (workspace_id, aggregate_id, version) VALUES ($2, $5, 1)
    ON CONFLICT (workspace_id, aggregate_id) DO UPDATE SET version = a.version + 1 RETURNING version)
  INSERT INTO outbox (id, workspace_id, type, schema_version, aggregate_id, aggregate_version, actor, trace_id, data)
  SELECT $1, $2, $3, $4, $5, version, nullif(current_setting('suite.actor'), '')::jsonb, $6, $7 FROM next`;

async function announce({ client, context, events }: Running): Promise<void> {
  for (const { event, workspace_id } of events) {
    const values = [
      event.id,
      workspace_id,
      event.type,
      event.schema_version,
      event.aggregate_id,
      context.trace_id ?? null,
      event.data,
    ];
    await client.query({ name: 'announce', text: ANNOUNCE, values });
  }
}

/**
 * Opens a service's database.
 * @param makeClient makes the service's generated Prisma client on the adapter.
 * @param onCommit called after a commit that left events in the outbox.
 */
export function openDatabase<Client extends object>(options: {
  url: string;
  max: number;
  makeClient: (adapter: PrismaPg) => Client;
  onCommit: () => void;
}): Database<Confined<Client>> {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    connectionTimeoutMillis: 2_000,
    maxLifetimeSeconds: 1_800,
    options: '-c timezone=UTC',
  });
  pool.on('error', () => undefined); // An idle connection that breaks is replaced by the pool.
  let statements = 0;
  const count = () => {
    statements += 1;
  };
  const client = options.makeClient(new PrismaPg(new LentConnection(count)));
  const rows = async <Row>(statement: Sql): Promise<Row[]> => {
    count();
    const result = await send({ text: statement.text, values: statement.values, types: jsonReady });
    return result.rows as Row[];
  };
  // Prisma's client hands out its models through getters: an object that inherits from it adds `rows` without a copy.
  const db = Object.assign(Object.create(client) as Confined<Client>, { rows });

  async function transaction<T>(mode: string, context: Context, work: (now: Running) => Promise<T>): Promise<T> {
    const connection = await pool.connect().catch((error: unknown) => {
      throw Object.assign(Unavailable(), { cause: error });
    });
    const now: Running = { client: connection, context, workspace_id: context.workspace_id, events: [], refusal: undefined };
    let broken: Error | undefined;
    try {
      await connection.query(opening(mode, context));
      const result = await running.run(now, async () => await work(now));
      await announce(now);
      await connection.query('COMMIT');
      return result;
    } catch (error) {
      await connection.query('ROLLBACK').catch((lost: Error) => {
        broken = lost;
      });
      throw meaning(now, error);
    } finally {
      connection.release(broken);
    }
  }

  return {
    pool,
    get statements() {
      return statements;
    },
    read: (context, work) =>
      transaction('ISOLATION LEVEL REPEATABLE READ READ ONLY', context, async () => await work(db)),
    async write(context, work) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          let announced = false;
          const result = await transaction('', context, async (now) => {
            const emit: Emit = (event, value) => {
              if (!now.workspace_id) throw new Error('An event needs a workspace.');
              now.events.push({ event: pending(event, value), workspace_id: now.workspace_id });
              announced = true;
            };
            return await work(db, emit);
          });
          if (announced) options.onCommit();
          return result;
        } catch (error) {
          if (attempt === ATTEMPTS || !isConflict(error)) throw error;
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt));
        }
      }
    },
    close: () => pool.end(),
  };
}

/**
 * Leaves the workspace for the time of `work`, to look something up over all of them. Long on purpose, counted by tidy.
 * What it writes must name its workspace.
 */
export async function everyWorkspace<Db, T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  const { client } = current();
  await client.query('SET LOCAL ROLE NONE');
  try {
    return await work(db);
  } finally {
    // Fails only where the transaction has failed, and then there is nothing left to confine.
    await client.query('SET LOCAL ROLE suite_confined').catch(() => undefined);
  }
}

/** Confines a transaction that was opened without a workspace to the one that was found, until it ends. */
export async function enterWorkspace(workspace_id: string, actor_id: string | null): Promise<void> {
  const now = current();
  if (now.workspace_id) throw new Error('This transaction has a workspace already.');
  now.workspace_id = workspace_id;
  const actor = actor_id && JSON.stringify({ user_id: actor_id });
  await now.client.query(
    `SELECT set_config('suite.workspace_id', $1, true), set_config('suite.actor_id', $2, true), set_config('suite.actor', $3, true)`,
    [workspace_id, actor_id ?? '', actor ?? ''],
  );
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
