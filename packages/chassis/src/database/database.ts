import { PrismaPg } from '@prisma/adapter-pg';
import type { Sql } from '@prisma/client/runtime/client';
import pg from 'pg';
import { isConflict } from './database-fault.ts';
import { type Emit, pending } from '../operation/events.ts';
import { type DatabaseSettings, requestsUrl } from '../runtime/config.ts';
import type { Caller } from '../identity/identity.ts';
import { checkConstraints, type Context, type Running, send } from './running.ts';
import { transaction } from './transaction.ts';
import { limits, type Sight } from '../visibility/seen.ts';
import type { Visibility } from '../visibility/visibility.ts';

const { builtins } = pg.types;

/** A moment of the years 1 to 9999, to the millisecond at most. */
const MOMENT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/;

/** `2026-11-21 05:11:37.275+00` → `2026-11-21T05:11:37.275Z`; sessions run in UTC. */
function instant(value: string): string {
  const [, day, time, fraction = ''] = MOMENT.exec(value) ?? [];
  if (day) return `${day}T${time}.${fraction.padEnd(3, '0')}Z`;
  return new Date(`${value.replace(' ', 'T')}:00`).toISOString();
}

const asIs = (value: string): string => value;

/** Reads PostgreSQL's text as JSON shows it: decimals and days stay strings, instants are RFC 3339, counts are numbers. */
const jsonReady: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === builtins.TIMESTAMPTZ) return instant;
    if (oid === builtins.DATE || oid === builtins.TIME || oid === builtins.NUMERIC) return asIs;
    if (oid === builtins.INT8) return Number;
    return pg.types.getTypeParser(oid, format);
  },
};

const ATTEMPTS = 5;
/** Connections that the machinery needs at most: its statements are short. */
const MACHINERY = 4;

type Outside =
  | `$${'transaction' | 'connect' | 'disconnect' | 'extends' | 'on' | 'use'}`
  | `$${'query' | 'execute'}RawUnsafe`;

/** A Prisma client as a handler sees it: whatever it does happens in the running transaction, inside its workspace. */
export type Confined<Client> = Omit<Client, Outside> & Rows;

const SNAPSHOT = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';

export interface Rows {
  /**
   * Runs one statement and returns its rows ready for JSON: numerics and instants as strings, days as YYYY-MM-DD.
   * @param plan for what depends on how many rows there are of something: then no plan is kept for it
   */
  rows<Row = Record<string, unknown>>(statement: Sql, plan?: 'planned each time'): Promise<Row[]>;
}

export interface Database<Db = unknown> {
  /** Connections of the machinery (relay, inbox, dead letters, schedules), which see all workspaces. */
  pool: pg.Pool;
  /** Connections of requests and of the effects of events, without any right but in a transaction of one workspace. */
  requests: pg.Pool;
  /** How many statements handlers have sent so far; tests count with it. */
  readonly statements: number;
  /** Reads what is true in one read-only snapshot, confined to the context's workspace: for rules. */
  read<T>(context: Context, work: (db: Db) => Promise<T>): Promise<T>;
  /** Reads what the context's caller may see, in one read-only snapshot: for what leaves the house. */
  view<T>(context: Context, work: (db: Db) => Promise<T>): Promise<T>;
  /** Whether a caller sees less than everything, so that what he names has to be looked up as he sees it. */
  isLimited(caller: Caller | null): boolean;
  /** Writes in one transaction with its events; repeated when PostgreSQL asks for it (serialization, deadlock). */
  write<T>(context: Context, work: (db: Db, emit: Emit) => Promise<T>): Promise<T>;
  /** Finds out what `write` would do, by the same code, and leaves no trace. @throws what it would be refused with */
  dryRun<T>(context: Context, work: (db: Db, emit: Emit) => Promise<T>): Promise<T>;
  /** Reads rows of all workspaces in one read-only snapshot of the machinery: what is due, for schedules. */
  readEverywhere<T>(context: Context, work: (db: Db) => Promise<T>): Promise<T>;
  /** Changes rows of several workspaces in one transaction of the machinery: for schedules. Counted by tidy. */
  writeEverywhere<T>(context: Context, work: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Prisma takes this for a pool. Every statement goes to the connection of the running transaction, so that Prisma and
 * plain SQL share one transaction that this file opens; Prisma's own nested transactions become part of it.
 */
class LentConnection extends pg.Pool {
  readonly count: () => void;

  constructor(count: () => void) {
    super();
    this.count = count;
  }

  override query(statement: unknown): never {
    this.count();
    return send(statement as pg.QueryConfig) as never;
  }

  override connect(): never {
    const nested = {
      query: (statement: pg.QueryConfig) =>
        /^(BEGIN|COMMIT|ROLLBACK)$/.test(statement.text)
          ? Promise.resolve({ rows: [], fields: [], rowCount: 0 })
          : this.query(statement),
      on: () => nested,
      removeListener: () => nested,
      release: () => undefined,
    };
    return Promise.resolve(nested) as never;
  }
}

/** Prisma's models and plain rows. Its picture of all tables takes megabytes: whoever only reads rows never pays for it. */
function confined<Client extends object>(make: () => Client, rows: Rows['rows']): Confined<Client> {
  let made: Client | undefined;
  const client = () => (made ??= make());
  const get = (own: Rows, name: string | symbol) => (name === 'rows' ? own.rows : Reflect.get(client(), name));
  return new Proxy<Rows>({ rows }, { get }) as Confined<Client>;
}

/** Runs a transaction again as long as PostgreSQL asks for it. */
async function repeatedly<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS || !isConflict(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt));
    }
  }
}

/** Carries the result out of the transaction that it undoes. */
class Undone extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('A dry run ends without a trace.');
    this.result = result;
  }
}

/** Runs a transaction that is undone once its result is known. @returns what was given to `keep` */
async function undone<T>(run: (keep: (result: T) => Promise<never>) => Promise<never>): Promise<T> {
  try {
    return await run(async (result) => {
      // Constraints that are checked only at the end are checked here: a dry run refuses whatever the real one would.
      await checkConstraints();
      throw new Undone(result);
    });
  } catch (error) {
    if (error instanceof Undone) return error.result as T;
    throw error;
  }
}

function openPool({ url, max, wait_ms }: { url: string; max: number; wait_ms: number }): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: wait_ms,
    maxLifetimeSeconds: 1_800,
    // A new connection reads its catalogues and functions anew, 5 ms and more; the usual 10 s close them between two gusts.
    idleTimeoutMillis: 300_000,
    pipeline: true,
    options: '-c timezone=UTC',
  });
  // A connection that breaks is replaced by the pool; who works with it is told by the failing statement.
  pool.on('error', () => undefined);
  pool.on('connect', (connection) => connection.on('error', () => undefined));
  return pool;
}

const openPools = ({
  settings,
  max,
  wait_ms = 2_000,
}: {
  settings: DatabaseSettings;
  max: number;
  wait_ms?: number;
}) => ({
  requests: openPool({ url: requestsUrl(settings), max, wait_ms }),
  machinery: openPool({ url: settings.DATABASE_URL, max: Math.min(max, MACHINERY), wait_ms }),
});

/** Adds events to a transaction, which announces them when it commits. */
const emitInto =
  (now: Running): Emit =>
  (event, value) => {
    if (!now.workspace_id) throw new Error('An event needs a workspace.');
    now.events.push({ event: pending(event, value), workspace_id: now.workspace_id });
  };

type OnCommit = (due: ReadonlySet<string>) => void;

/** Works in transactions, and wakes whoever waits for what each has left once it has committed. */
const committing =
  (onCommit: OnCommit) =>
  <T>(...[pool, mode, context, how, work]: Parameters<typeof transaction<T>>): Promise<T> =>
    repeatedly(async () => {
      let left: Pick<Running, 'events' | 'due'> = { events: [], due: new Set() };
      const result = await transaction(pool, mode, context, how, async (now) => {
        left = now;
        return await work(now);
      });
      if (left.events.length > 0 || left.due.size > 0) onCommit(left.due);
      return result;
    });

/**
 * Opens a service's database.
 * @param makeClient makes the service's generated Prisma client on the adapter.
 * @param wait_ms how long work waits for a connection; 2 s when it is not given.
 * @param onCommit called after a commit that left events in the outbox, or work for the schedules in `due`.
 */
export function openDatabase<Client extends object>(options: {
  /** The logins of the machinery and of requests. */
  settings: DatabaseSettings;
  max: number;
  wait_ms?: number;
  makeClient: (adapter: PrismaPg) => Client;
  /** The visibility of each table. */
  visibility?: readonly Visibility[];
  onCommit: OnCommit;
}): Database<Confined<Client>> {
  const { requests, machinery } = openPools(options);
  let statements = 0;
  const count = () => void (statements += 1);
  const rows = async <Row>({ text, values }: Sql, plan?: 'planned each time'): Promise<Row[]> => {
    count();
    const result = await send({ text, values, types: jsonReady }, plan);
    return result.rows as Row[];
  };
  const db = confined(() => options.makeClient(new PrismaPg(new LentConnection(count))), rows);

  const seenBy = limits(options.visibility ?? []);
  const reading = <T>(sight: Sight, context: Context, work: (db: Confined<Client>) => Promise<T>): Promise<T> => {
    const seen = seenBy(context.caller);
    const how = { machinery, seen, sight: seen ? sight : 'true', writes: false } as const;
    return repeatedly(() => transaction(requests, SNAPSHOT, context, how, async () => await work(db)));
  };

  const committed = committing(options.onCommit);
  const everywhere = <T>(mode: string, context: Context, work: (db: Confined<Client>) => Promise<T>): Promise<T> => {
    const how = { machinery, seen: undefined, sight: 'everywhere', writes: mode !== SNAPSHOT } as const;
    return committed(machinery, mode, context, how, async () => await work(db));
  };

  const write: Database<Confined<Client>>['write'] = (context, work) => {
    const how = { machinery, seen: seenBy(context.caller), sight: 'true', writes: true } as const;
    return committed(requests, '', context, how, async (now) => await work(db, emitInto(now)));
  };

  return {
    pool: machinery,
    requests,
    get statements() {
      return statements;
    },
    read: (context, work) => reading('true', context, work),
    view: (context, work) => reading('visible', context, work),
    isLimited: (caller) => seenBy(caller) !== undefined,
    write,
    readEverywhere: (context, work) => everywhere(SNAPSHOT, context, work),
    writeEverywhere: (context, work) => everywhere('', context, work),
    dryRun: (context, work) => undone((keep) => write(context, async (db, emit) => keep(await work(db, emit)))),
    close: () => Promise.all([requests.end(), machinery.end()]).then(() => undefined),
  };
}
