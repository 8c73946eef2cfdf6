/** Turns: work that one replica does for all. A row says when it is due, and until when somebody has it. */
import type { Pool } from 'pg';

/** How often a turn is renewed while it is at work. */
export const RENEW_MS = 1_000;

const TAKE = `
  INSERT INTO turns AS turn (name, due_at, taken_by)
  VALUES ($1, clock_timestamp() + $4 * interval '1 ms', CASE WHEN $4 = $3 THEN $2::uuid END)
  ON CONFLICT (name) DO UPDATE SET due_at = clock_timestamp() + $3 * interval '1 ms', taken_by = $2
  WHERE turn.taken_by = $2 OR turn.due_at <= clock_timestamp()
    OR turn.taken_by IS NULL AND ($5 OR turn.due_at > clock_timestamp() + $4 * interval '1 ms')
  RETURNING taken_by = $2 AS mine`;
const WAIT = `SELECT (extract(epoch FROM due_at - clock_timestamp()) * 1000)::float AS wait_ms FROM turns WHERE name = $1`;
const RENEW = `UPDATE turns SET due_at = clock_timestamp() + $3 * interval '1 ms' WHERE name = $1 AND taken_by = $2`;
const GIVE = `UPDATE turns SET due_at = clock_timestamp() + $3 * interval '1 ms', taken_by = NULL WHERE name = $1 AND taken_by = $2`;

/** A turn as one who takes it knows it. */
export interface Turn {
  name: string;
  /** Another one for each who takes it, so that nobody gives back what is not theirs. */
  holder: string;
  /** The lease: when the holder does not renew it for so long, others may take the turn. */
  lease_ms: number;
}

/**
 * Takes a turn that is due. A turn that nobody has heard of is due after `first_ms`; at once, when that is the lease.
 * @param early takes it although it is not due, unless somebody has it
 */
export async function takeTurn(
  pool: Pool,
  { name, holder, lease_ms }: Turn,
  first_ms: number,
  early = false,
): Promise<boolean> {
  const { rows } = await pool.query(TAKE, [name, holder, lease_ms, first_ms, early]);
  return rows[0]?.mine === true;
}

/** How long a turn that was not to be had is taken, or not due. */
export async function waitForTurn(pool: Pool, { name }: Turn): Promise<number> {
  const { rows } = await pool.query(WAIT, [name]);
  return Math.max(rows[0]?.wait_ms ?? 0, 0);
}

/** Keeps a turn. @returns whether it is still ours */
export const renewTurn = async (pool: Pool, { name, holder, lease_ms }: Turn): Promise<boolean> =>
  (await pool.query(RENEW, [name, holder, lease_ms])).rowCount === 1;

/** Gives a turn back; it is due again so much later. */
export const giveTurn = (pool: Pool, { name, holder }: Turn, after_ms: number): Promise<unknown> =>
  pool.query(GIVE, [name, holder, after_ms]);
