/** Rate limits that several gateways count together, in PostgreSQL. */
import { setTimeout as pause } from 'node:timers/promises';
import { clock, type Log } from '@suite/chassis/gateway';
import type { ClientRateLimitInfo } from 'express-rate-limit';
import pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterRes, RLWrapperTimeouts } from 'rate-limiter-flexible';
import type { StoreMaker } from './rate-limits.ts';

/** What is waited for the database before a request is counted in this process's memory instead… */
const PATIENCE_MS = 200;
/** …and how long everything is counted there before the database is asked again. */
const DOUBT_MS = 1_000;
const RETRY_MS = 1_000;

/** Not logged: after a crash of the database everybody begins with a full quota, and counting costs half. */
const TABLE = `CREATE UNLOGGED TABLE IF NOT EXISTS rate_limits (
  key varchar(255) PRIMARY KEY, points integer NOT NULL DEFAULT 0, expire bigint)`;

export interface SharedStore {
  store: StoreMaker;
  close(): Promise<void>;
}

/** Opens the database and makes its table, in the background: the gateway serves without it. */
export function openSharedStore(url: string, log: Log, patience_ms = PATIENCE_MS): SharedStore {
  // Long enough that a connection which is slow to open serves the requests after this one.
  const slow_ms = patience_ms + 800;
  const pool = new pg.Pool({ connectionString: url, max: 4, connectionTimeoutMillis: slow_ms, query_timeout: slow_ms });
  pool.on('error', (error) => log.warn({ err: error }, 'A connection to the database of the rate limits is lost.'));
  const closing = new AbortController();
  const preparing = prepare(pool, closing.signal, log);

  let doubted_until = 0;
  const doubt = (error: unknown) => {
    doubted_until = performance.now() + DOUBT_MS;
    log.warn({ err: error }, 'The database of the rate limits does not answer. This process counts alone for a while.');
  };

  return {
    store: (name, { limit, window_s }) => {
      const quota = { keyPrefix: name, points: limit, duration: window_s };
      const table = { storeClient: pool, storeType: 'pool', tableName: 'rate_limits', tableCreated: true };
      const limiter = new RateLimiterPostgres({ ...quota, ...table });
      const shared = new RLWrapperTimeouts({ limiter, timeoutMs: patience_ms });
      const own = new RateLimiterMemory(quota);
      return {
        prefix: name,
        async increment(key) {
          // Counted here too, always, so that nobody begins anew when the database falls silent.
          const alone = await own.penalty(key, 1);
          if (performance.now() < doubted_until) return reckon(alone);
          // Unlike `consume`, `penalty` does not fail beyond the limit: express-rate-limit compares.
          return shared.penalty(key, 1).then(reckon, (error: unknown) => {
            doubt(error);
            return reckon(alone);
          });
        },
        async decrement(key) {
          await own.reward(key, 1);
          if (performance.now() >= doubted_until) await shared.reward(key, 1).catch(doubt);
        },
        resetKey: async (key) => void (await shared.delete(key)),
      };
    },
    async close() {
      closing.abort();
      await preparing;
      await pool.end();
    },
  };
}

function reckon({ consumedPoints, msBeforeNext }: RateLimiterRes): ClientRateLimitInfo {
  return { totalHits: consumedPoints, resetTime: new Date(clock.now().getTime() + msBeforeNext) };
}

async function prepare(pool: pg.Pool, closing: AbortSignal, log: Log): Promise<void> {
  for (let failures = 0; !closing.aborted; failures += 1) {
    try {
      await pool.query(TABLE);
      return;
    } catch (error) {
      if (failures === 0) log.error({ err: error }, 'The database of the rate limits does not answer.');
      await pause(RETRY_MS, undefined, { signal: closing }).catch(() => undefined);
    }
  }
}
