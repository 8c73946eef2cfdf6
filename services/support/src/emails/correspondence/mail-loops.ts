/** Prevents endless loops between two programs, and limits the number of tickets from one sender. */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';
import { countMailFrom } from './mail-records.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Maximum number of tickets from one sender in an hour. */
const TICKETS_AN_HOUR = 20;
const ACKNOWLEDGED_FOR_MS = 10 * MINUTE_MS;
const LOOP_LIMIT = { mails: 5, within_ms: 2 * MINUTE_MS, paused_ms: DAY_MS };

const timeAgo = (ms: number): Date => new Date(clock.now().getTime() - ms);

/**
 * Returns the last ticket of a sender who has created more than twenty in an hour. Further e-mails are added to that
 * ticket.
 */
export async function ticketInLoop(db: Db, address: string): Promise<string | undefined> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM tickets WHERE requester_email = ${address} AND channel = 'email' AND created_at > ${timeAgo(HOUR_MS)}
      AND deleted_at IS NULL AND status NOT IN ('spam', 'merged') ORDER BY created_at DESC, id DESC LIMIT ${TICKETS_AN_HOUR}`);
  return rows.length < TICKETS_AN_HOUR ? undefined : rows[0]!.id;
}

/** Stops automatic e-mails to an address for a day when it has sent five e-mails within two minutes. */
export async function pauseAddressInLoop(db: Db, address: string): Promise<void> {
  if ((await countMailFrom(db, address, timeAgo(LOOP_LIMIT.within_ms))) < LOOP_LIMIT.mails) return;
  const until = new Date(clock.now().getTime() + LOOP_LIMIT.paused_ms);
  await db.rows(sql`
    INSERT INTO mail_pauses (address, until) VALUES (${address}, ${until})
    ON CONFLICT (workspace_id, address) DO UPDATE SET until = EXCLUDED.until`);
}

/** Returns true if an address currently gets no automatic e-mails. */
export async function isPaused(db: Db, address: string): Promise<boolean> {
  const rows = await db.rows(
    sql`SELECT FROM mail_pauses WHERE address = ${address} AND until > ${clock.now()}::timestamptz`,
  );
  return rows.length > 0;
}

/**
 * Returns true if a sender receives an acknowledgment: at most once within ten minutes, and never if they seem to be a
 * program.
 */
export async function shouldAcknowledge(db: Db, address: string): Promise<boolean> {
  const rows = await db.rows(sql`
    SELECT FROM mails WHERE kind = 'acknowledgement' AND "to" = ${address} AND created_at > ${timeAgo(ACKNOWLEDGED_FOR_MS)} LIMIT 1`);
  return rows.length === 0 && !(await isPaused(db, address));
}
