/** The connection pools of a service's database. */
import pg from 'pg';
import { type DatabaseSettings, deadline, requestsUrl } from '../runtime/config.ts';

/** The number of internal connections. Their statements are short. */
const MACHINERY = 4;
const WAIT_MS = 2_000;
/**
 * Longest wait for the response to a statement. Longer than `statement_timeout` of the login (15 s), so that it only
 * ends connections whose server has disappeared without closing them. TCP itself would wait for 15 minutes. The driver
 * then closes the connection, and the pool opens another one.
 */
const RESPONSE_MS = deadline(20_000);
/** Time after which an idle connection is checked. After ten more seconds without a response, it is closed. */
const KEEP_ALIVE_MS = 10_000;

interface PoolOptions {
  max: number;
  /** Longest wait for a connection, in milliseconds. */
  wait_ms?: number | undefined;
  /** Longest wait for the response to a statement, in milliseconds. */
  response_ms?: number | undefined;
}

function openPool(url: string, { max, wait_ms = WAIT_MS, response_ms = RESPONSE_MS }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: wait_ms,
    query_timeout: response_ms,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    maxLifetimeSeconds: 1_800,
    // A new connection loads its catalogues and functions again, which takes 5 ms or more. The default of 10 s would
    // close connections between two bursts.
    idleTimeoutMillis: 300_000,
    pipeline: true,
    options: '-c timezone=UTC',
  });
  // The pool replaces a broken connection. Its user gets the error from the failing statement.
  pool.on('error', () => undefined);
  pool.on('connect', (connection) => connection.on('error', () => undefined));
  return pool;
}

/** Opens the pools of a database: connections for requests, and internal connections. */
export const openPools = ({
  settings,
  ...options
}: PoolOptions & { settings: DatabaseSettings }): { requests: pg.Pool; machinery: pg.Pool } => ({
  requests: openPool(requestsUrl(settings), options),
  machinery: openPool(settings.DATABASE_URL, { ...options, max: Math.min(options.max, MACHINERY) }),
});
