import { PrismaPg } from '@prisma/adapter-pg';
import type { Sql } from '@prisma/client/runtime/client';
import pg from 'pg';
import { isConflict } from './database-fault.ts';
import { type Emit, pending } from '../operation/events.ts';
import type { DatabaseSettings } from '../runtime/config.ts';
import type { Caller } from '../identity/identity.ts';
import { checkConstraints, type TransactionContext, type TransactionState, send } from './running.ts';
import { transaction } from './transaction.ts';
import { openPools } from '../pool/pool.ts';
import { callerViews, type VisibilityMode } from '../visibility/caller-view.ts';
import type { Visibility } from '../visibility/visibility.ts';

const { builtins } = pg.types;

/** A timestamp in the years 1 to 9999, with at most milliseconds. */
const MOMENT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/;

/** Converts a timestamp: `2026-11-21 05:11:37.275+00` → `2026-11-21T05:11:37.275Z`. Sessions run in UTC. */
function instant(value: string): string {
  const [, day, time, fraction = ''] = MOMENT.exec(value) ?? [];
  if (day) return `${day}T${time}.${fraction.padEnd(3, '0')}Z`;
  return new Date(`${value.replace(' ', 'T')}:00`).toISOString();
}

const keepText = (value: string): string => value;

/**
 * Reads PostgreSQL's text as JSON shows it: decimals and days stay strings, timestamps are RFC 3339, counts are
 * numbers.
 */
const jsonReady: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === builtins.TIMESTAMPTZ) return instant;
    if (oid === builtins.DATE || oid === builtins.TIME || oid === builtins.NUMERIC) return keepText;
    if (oid === builtins.INT8) return Number;
    return pg.types.getTypeParser(oid, format);
  },
};

const ATTEMPTS = 5;

type TransactionMethod =
  | `$${'transaction' | 'connect' | 'disconnect' | 'extends' | 'on' | 'use'}`
  | `$${'query' | 'execute'}RawUnsafe`;

/** Prisma client for a handler. Every call runs in the current transaction, inside its workspace. */
export type WorkspaceDatabase<Client> = Omit<Client, TransactionMethod> & RowReader;

const SNAPSHOT = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';

export interface RowReader {
  /**
   * Runs one statement and returns its rows ready for JSON: numerics and timestamps as strings, days as YYYY-MM-DD.
   * @param plan set for a statement whose best plan depends on row counts. No plan is kept then
   */
  rows<Row = Record<string, unknown>>(statement: Sql, plan?: 'planned each time'): Promise<Row[]>;
}

export interface Database<Db = unknown> {
  /** Internal connections (relay, inbox, dead letters, schedules), which see all workspaces. */
  pool: pg.Pool;
  /** Connections of requests and consumers. They have privileges only within a transaction of one workspace. */
  requests: pg.Pool;
  /** Number of statements that handlers have sent. Used by tests. */
  readonly statements: number;
  /** Reads unrestricted data of the context's workspace in one read-only snapshot, to check rules. */
  read<T>(context: TransactionContext, work: (db: Db) => Promise<T>): Promise<T>;
  /** Reads the data that the context's caller may see in one read-only snapshot, for responses. */
  view<T>(context: TransactionContext, work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Returns true if a caller does not see everything. Records that they name must then be looked up with their view.
   */
  isLimited(caller: Caller | null): boolean;
  /**
   * Writes in one transaction with its events. Retries when PostgreSQL requires it (serialization failure, deadlock).
   */
  write<T>(context: TransactionContext, work: (db: Db, emit: Emit) => Promise<T>): Promise<T>;
  /** Runs the code of `write` and rolls it back. @throws the faults that `write` would throw */
  dryRun<T>(context: TransactionContext, work: (db: Db, emit: Emit) => Promise<T>): Promise<T>;
  /** Reads rows of all workspaces in one internal read-only snapshot, such as due rows for schedules. */
  readEverywhere<T>(context: TransactionContext, work: (db: Db) => Promise<T>): Promise<T>;
  /** Changes rows of several workspaces in one internal transaction, for schedules. The tidy check counts its uses. */
  writeEverywhere<T>(context: TransactionContext, work: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Connection pool for Prisma. Every statement goes to the connection of the current transaction. Prisma and plain SQL
 * therefore share one transaction, which this file opens. Prisma's nested transactions become part of the same
 * transaction.
 */
class TransactionPool extends pg.Pool {
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

/** Returns Prisma's models and plain rows. Prisma's schema takes megabytes, so it loads only when a model is used. */
function confineClient<Client extends object>(make: () => Client, rows: RowReader['rows']): WorkspaceDatabase<Client> {
  let made: Client | undefined;
  const client = () => (made ??= make());
  const get = (own: RowReader, name: string | symbol) => (name === 'rows' ? own.rows : Reflect.get(client(), name));
  return new Proxy<RowReader>({ rows }, { get }) as WorkspaceDatabase<Client>;
}

/** Repeats a transaction while PostgreSQL requests it, up to `ATTEMPTS` times. */
async function retryConflicts<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS || !isConflict(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt));
    }
  }
}

/** Carries the result out of a transaction that is rolled back. */
class RolledBack extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('A dry run changes nothing.');
    this.result = result;
  }
}

/** Runs a transaction and rolls it back once its result is known. @returns the value passed to `keep` */
async function rollBackAfter<T>(run: (keep: (result: T) => Promise<never>) => Promise<never>): Promise<T> {
  try {
    return await run(async (result) => {
      // Checks deferred constraints now, so that a dry run rejects everything that the real run rejects.
      await checkConstraints();
      throw new RolledBack(result);
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.result as T;
    throw error;
  }
}

/** Adds events to a transaction, which publishes them when it commits. */
const emitInto =
  (now: TransactionState): Emit =>
  (event, value) => {
    if (!now.workspace_id) throw new Error('An event needs a workspace.');
    now.events.push(pending(event, value));
  };

type OnCommit = (due: ReadonlySet<string>) => void;
type OnChange = (workspace_id: string) => void;

const NOTHING = { events: [], due: new Set<string>(), has_row: false, workspace_id: null };

/** Runs transactions and wakes the relay and the due schedules after each commit. */
const commitAndWake =
  (onCommit: OnCommit, onChange: OnChange) =>
  <T>(...[pool, mode, context, how, work]: Parameters<typeof transaction<T>>): Promise<T> =>
    retryConflicts(async () => {
      let left: Pick<TransactionState, 'events' | 'due' | 'has_row' | 'workspace_id'> = NOTHING;
      const result = await transaction(pool, mode, context, how, async (now) => {
        left = now;
        return await work(now);
      });
      if (left.events.length > 0 || left.due.size > 0) onCommit(left.due);
      if (left.has_row && left.workspace_id) onChange(left.workspace_id);
      return result;
    });

/**
 * Opens a service's database.
 * @param makeClient creates the service's generated Prisma client on the adapter
 * @param wait_ms longest wait for a connection. Defaults to 2 s
 * @param response_ms longest wait for the response to a statement. Defaults to 20 s, times `DEADLINE_FACTOR`
 * @param onCommit called after a commit that left events in the journal, or work for the schedules in `due`
 * @param onChange called after a commit with a journal row of a workspace
 */
export function openDatabase<Client extends object>(options: {
  /** The database users for internal work and for requests. */
  settings: DatabaseSettings;
  max: number;
  wait_ms?: number;
  response_ms?: number;
  makeClient: (adapter: PrismaPg) => Client;
  /** The visibility rules of each table. */
  visibility?: readonly Visibility[];
  onCommit: OnCommit;
  onChange?: OnChange;
}): Database<WorkspaceDatabase<Client>> {
  const { requests, machinery } = openPools(options);
  let statements = 0;
  const count = () => void (statements += 1);
  const rows = async <Row>({ text, values }: Sql, plan?: 'planned each time'): Promise<Row[]> => {
    count();
    const result = await send({ text, values, types: jsonReady }, plan);
    return result.rows as Row[];
  };
  const db = confineClient(() => options.makeClient(new PrismaPg(new TransactionPool(count))), rows);

  const seenBy = callerViews(options.visibility ?? []);
  type Work<T> = (db: WorkspaceDatabase<Client>) => Promise<T>;
  const reading = <T>(mode: VisibilityMode, context: TransactionContext, work: Work<T>): Promise<T> => {
    const seen = seenBy(context.caller);
    const how = { machinery, seen, visibilityMode: seen ? mode : 'true', writes: false } as const;
    return retryConflicts(() => transaction(requests, SNAPSHOT, context, how, async () => await work(db)));
  };

  const committed = commitAndWake(options.onCommit, options.onChange ?? (() => undefined));
  const everywhere = <T>(mode: string, context: TransactionContext, work: Work<T>): Promise<T> => {
    const how = { machinery, seen: undefined, visibilityMode: 'everywhere', writes: mode !== SNAPSHOT } as const;
    return committed(machinery, mode, context, how, async () => await work(db));
  };

  const write: Database<WorkspaceDatabase<Client>>['write'] = (context, work) => {
    const how = { machinery, seen: seenBy(context.caller), visibilityMode: 'true', writes: true } as const;
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
    dryRun: (context, work) => rollBackAfter((keep) => write(context, async (db, emit) => keep(await work(db, emit)))),
    close: () => Promise.all([requests.end(), machinery.end()]).then(() => undefined),
  };
}
