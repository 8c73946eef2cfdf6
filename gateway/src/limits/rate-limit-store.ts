/** Rate limits shared by several gateways, in PostgreSQL. */
import { setTimeout as pause } from 'node:timers/promises';
import { clock, type Log } from '@suite/chassis/gateway';
import type { ClientRateLimitInfo } from 'express-rate-limit';
import pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterRes, RLWrapperTimeouts } from 'rate-limiter-flexible';
import type { StoreFactory } from './rate-limits.ts';

/** Maximum wait for the database. After that, the request is counted in the memory of this process. */
const TIMEOUT_MS = 200;
/** Duration of counting in memory after a failure, before the next query to the database. */
const FALLBACK_MS = 1_000;
const RETRY_MS = 1_000;

/** Unlogged, which halves the cost of counting. A crash of the database resets all quotas. */
const TABLE = `CREATE UNLOGGED TABLE IF NOT EXISTS rate_limits (
  key varchar(255) PRIMARY KEY, points integer NOT NULL DEFAULT 0, expire bigint)`;

export interface SharedStore {
  store: StoreFactory;
  close(): Promise<void>;
}

/** Connects to the database and creates its table in the background. The gateway serves requests without it. */
export function openSharedStore(url: string, log: Log, timeout_ms = TIMEOUT_MS): SharedStore {
  // Longer than the wait of a request, so that a slow connection can serve later requests.
  const slow_ms = timeout_ms + 800;
  const pool = new pg.Pool({ connectionString: url, max: 4, connectionTimeoutMillis: slow_ms, query_timeout: slow_ms });
  pool.on('error', (error) => log.warn({ err: error }, 'Connection to the rate-limit database lost'));
  const closing = new AbortController();
  const creation = createTable(pool, closing.signal, log);

  let in_memory_until = 0;
  const fallBack = (error: unknown) => {
    in_memory_until = performance.now() + FALLBACK_MS;
    log.warn({ err: error }, 'Rate-limit database unavailable; counting in memory');
  };

  return {
    store: (name, { limit, window_s }) => {
      const quota = { keyPrefix: name, points: limit, duration: window_s };
      const table = { storeClient: pool, storeType: 'pool', tableName: 'rate_limits', tableCreated: true };
      const limiter = new RateLimiterPostgres({ ...quota, ...table });
      const shared = new RLWrapperTimeouts({ limiter, timeoutMs: timeout_ms });
      const memory = new RateLimiterMemory(quota);
      return {
        prefix: name,
        async get(key) {
          const local = await memory.get(key);
          const counted =
            performance.now() < in_memory_until
              ? local
              : await shared.get(key).catch((error: unknown) => {
                  fallBack(error);
                  return local;
                });
          return counted ? toRateLimitInfo(counted) : undefined;
        },
        async increment(key) {
          // Also counted in memory, so that a database failure does not reset the quotas.
          const local = await memory.penalty(key, 1);
          if (performance.now() < in_memory_until) return toRateLimitInfo(local);
          // Unlike `consume`, `penalty` does not fail beyond the limit. express-rate-limit compares the count itself.
          return shared.penalty(key, 1).then(toRateLimitInfo, (error: unknown) => {
            fallBack(error);
            return toRateLimitInfo(local);
          });
        },
        async decrement(key) {
          await memory.reward(key, 1);
          if (performance.now() >= in_memory_until) await shared.reward(key, 1).catch(fallBack);
        },
        resetKey: async (key) => void (await shared.delete(key)),
      };
    },
    async close() {
      closing.abort();
      await creation;
      await pool.end();
    },
  };
}

function toRateLimitInfo({ consumedPoints, msBeforeNext }: RateLimiterRes): ClientRateLimitInfo {
  return { totalHits: consumedPoints, resetTime: new Date(clock.now().getTime() + msBeforeNext) };
}

async function createTable(pool: pg.Pool, closing: AbortSignal, log: Log): Promise<void> {
  for (let failures = 0; !closing.aborted; failures += 1) {
    try {
      await pool.query(TABLE);
      return;
    } catch (error) {
      if (failures === 0) log.error({ err: error }, 'Rate-limit database unavailable');
      await pause(RETRY_MS, undefined, { signal: closing }).catch(() => undefined);
    }
  }
}
