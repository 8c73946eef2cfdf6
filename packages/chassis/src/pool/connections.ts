/**
 * The connections of a database, and the share of each workspace. No workspace occupies all connections. Transactions
 * beyond its share wait in a separate queue, so that other workspaces find a connection.
 */
import type pg from 'pg';
import { Unavailable } from '../runtime/fault.ts';

/**
 * The share of connections that one workspace can occupy. Chosen: a workspace uses at most three quarters of the
 * connections, so that a single active workspace loses little.
 */
const SHARE = 0.75;

interface ConnectionQueue {
  occupied: number;
  waiting: (() => void)[];
}

/** The queues of each pool, by workspace. Work without a workspace, such as a login, has one queue. */
const queues = new WeakMap<pg.Pool, Map<string, ConnectionQueue>>();
/** The function that ends the use of each connection that counts for a workspace. */
const endings = new WeakMap<pg.PoolClient, () => void>();

const unavailable = (cause: unknown) => Object.assign(Unavailable(), { cause });

/** Takes a connection that does not count for any workspace. @throws Unavailable */
export const connect = (pool: pg.Pool): Promise<pg.PoolClient> =>
  pool.connect().catch((error: unknown) => {
    throw unavailable(error);
  });

/** Waits for a place in the share of a workspace. @throws Unavailable after the time that the pool allows */
async function waitForPlace(line: ConnectionQueue, wait_ms: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const begin = () => {
    clearTimeout(late);
    resolve();
  };
  const late = setTimeout(() => {
    line.waiting = line.waiting.filter((other) => other !== begin);
    reject(unavailable(new Error('This workspace occupies its share of the database connections.')));
  }, wait_ms);
  line.waiting.push(begin);
  await promise;
}

/** Takes a connection within the share of a workspace. @throws Unavailable */
export async function connectFor(pool: pg.Pool, workspace_id: string | null): Promise<pg.PoolClient> {
  const { max, connectionTimeoutMillis: wait_ms = 0 } = pool.options;
  const known = queues.get(pool) ?? new Map<string, ConnectionQueue>();
  queues.set(pool, known);
  const key = workspace_id ?? '';
  const line = known.get(key) ?? { occupied: 0, waiting: [] };
  known.set(key, line);
  // A transaction that ends passes its place to the next in the queue, so that new transactions do not overtake it.
  if (line.occupied >= Math.ceil(max * SHARE)) await waitForPlace(line, wait_ms);
  else line.occupied += 1;
  const end = () => {
    const next = line.waiting.shift();
    if (next) return next();
    line.occupied -= 1;
    if (line.occupied === 0) known.delete(key);
  };
  try {
    const client = await connect(pool);
    endings.set(client, end);
    return client;
  } catch (error) {
    end();
    throw error;
  }
}

/** Returns a connection to its pool. @param broken why the connection cannot be used again */
export function release(client: pg.PoolClient, broken?: Error): void {
  client.release(broken);
  const end = endings.get(client);
  endings.delete(client);
  end?.();
}
