/** Leases of jobs that one replica runs for all. A row stores the next due time and the end of the lease. */
import type { Pool } from 'pg';

/** Renewal interval of a lease during its work. */
export const RENEW_MS = 1_000;

const ACQUIRE = `
  INSERT INTO turns AS lease (name, due_at, taken_by)
  VALUES ($1, clock_timestamp() + $4 * interval '1 ms', CASE WHEN $4 = $3 THEN $2::uuid END)
  ON CONFLICT (name) DO UPDATE SET due_at = clock_timestamp() + $3 * interval '1 ms', taken_by = $2
  WHERE lease.taken_by = $2 OR lease.due_at <= clock_timestamp()
    OR lease.taken_by IS NULL AND ($5 OR lease.due_at > clock_timestamp() + $4 * interval '1 ms')
  RETURNING taken_by = $2 AS is_holder`;
const WAIT = `SELECT (extract(epoch FROM due_at - clock_timestamp()) * 1000)::float AS wait_ms FROM turns WHERE name = $1`;
const RENEW = `UPDATE turns SET due_at = clock_timestamp() + $3 * interval '1 ms' WHERE name = $1 AND taken_by = $2`;
const RELEASE = `UPDATE turns SET due_at = clock_timestamp() + $3 * interval '1 ms', taken_by = NULL WHERE name = $1 AND taken_by = $2`;

/** Lease as its holder knows it. */
export interface Lease {
  name: string;
  /** Different for each holder, so that no holder releases another's lease. */
  holder: string;
  /** Duration of the lease. If the holder does not renew it within this time, others may acquire it. */
  lease_ms: number;
}

/**
 * Acquires a lease that is due. A lease that does not exist yet is due after `first_ms`, or immediately if that equals the
 * duration.
 * @param early acquires a lease that is not due, unless another holder has it
 */
export async function acquireLease(
  pool: Pool,
  { name, holder, lease_ms }: Lease,
  first_ms: number,
  early = false,
): Promise<boolean> {
  const { rows } = await pool.query(ACQUIRE, [name, holder, lease_ms, first_ms, early]);
  return rows[0]?.is_holder === true;
}

/** Returns how long an unavailable lease is held or not due, in milliseconds. */
export async function readLeaseDelay(pool: Pool, { name }: Lease): Promise<number> {
  const { rows } = await pool.query(WAIT, [name]);
  return Math.max(rows[0]?.wait_ms ?? 0, 0);
}

/** Renews a lease. @returns true if this holder still holds the lease */
export const renewLease = async (pool: Pool, { name, holder, lease_ms }: Lease): Promise<boolean> =>
  (await pool.query(RENEW, [name, holder, lease_ms])).rowCount === 1;

/** Releases a lease. It is due again after `after_ms`. */
export const releaseLease = (pool: Pool, { name, holder }: Lease, after_ms: number): Promise<unknown> =>
  pool.query(RELEASE, [name, holder, after_ms]);
