/**
 * Deletion of tasks from disconnected calendars. The secrets are erased afterwards, or when the deletion is given up.
 */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { declareSchedule, jobTransaction, type JobContext } from '@suite/chassis/service';
import { limitTotalTime } from '@suite/outbound-http';
import { openDecryption } from '@suite/field-encryption';
import { type Calendar, deleteEntry, isAboutEntry } from '../caldav/calendar.ts';
import { deliverDue, type DueDelivery, inSeconds } from '../../connections/integrations/delivery.ts';
import { toFailedAttempt } from '../../connections/integrations/server-rejection.ts';
import type { Db } from '../../operations.ts';
import { calendarOf } from '../todo-connection/todo-connection.ts';
import { removalCipherLocation } from './todo-sync.ts';

const NAME = 'platform.remove-todo-items';
const INTERVAL_MS = 5_000;
const CLAIM_S = 120;
const BATCH = 20;
const RUN_MS = 20_000;
/** Interval between attempts: 15 minutes, for one day. After that, the server counts as unreachable for good. */
const RETRY_S = 900;
const ATTEMPTS = 96;

interface RemovalRow {
  id: string;
  calendar_url: string;
  secrets_sealed: string;
  items: string[];
  attempts: number;
}

interface ClaimedRemoval extends RemovalRow {
  secrets: { username: string; password: string };
}

async function claimRemoval(
  db: Db,
  { keys }: Pick<JobContext, 'keys'>,
  id: string,
): Promise<ClaimedRemoval | undefined> {
  const [removal] = await db.rows<RemovalRow>(sql`
    UPDATE todo_removals SET next_attempt_at = ${inSeconds(CLAIM_S)}, attempts = attempts + 1
    WHERE id = ${id}::uuid AND next_attempt_at <= ${clock.now()}
    RETURNING id, calendar_url, secrets_sealed, items, attempts`);
  if (!removal) return undefined;
  const encryption = await openDecryption(db, keys.master);
  return { ...removal, secrets: JSON.parse(encryption.open(removalCipherLocation(id), removal.secrets_sealed)) };
}

/** Deletes entries until the server fails. @returns the deleted entries, and the reason for stopping */
async function deleteEntries(calendar: Calendar, hrefs: readonly string[]) {
  const done: string[] = [];
  try {
    for (const href of hrefs) {
      await deleteEntry(calendar, href).catch((error: unknown) => {
        if (!isAboutEntry(error)) throw error;
      });
      done.push(href);
    }
    return { done, failed: undefined };
  } catch (error) {
    return { done, failed: toFailedAttempt(error) };
  }
}

async function removeBatch(tools: JobContext<Db>, { id, workspace_id }: DueDelivery): Promise<void> {
  const { database, outgoing } = tools;
  const context = jobTransaction(NAME, workspace_id);
  const claimed = await database.write(context, (db) => claimRemoval(db, tools, id));
  if (!claimed) return;
  const { calendar_url, secrets, attempts } = claimed;
  const settings = { calendar_url, username: secrets.username };
  const calendar = calendarOf({ settings, secrets }, { outgoing: limitTotalTime(outgoing, RUN_MS), workspace_id });
  const { done, failed } = await deleteEntries(calendar, claimed.items.slice(0, BATCH));
  const isFinal = failed && (!failed.isTemporary || attempts >= ATTEMPTS);
  const [next, counted] = failed ? [inSeconds(RETRY_S), attempts] : [clock.now(), 0];
  await database.write(context, async (db) => {
    await db.rows(sql`
      UPDATE todo_removals SET next_attempt_at = ${next}, attempts = ${counted}::int,
        items = coalesce((SELECT jsonb_agg(href) FROM jsonb_array_elements_text(items) AS left_over (href)
          WHERE href <> ALL (${done}::text[])), '[]')
      WHERE id = ${id}::uuid`);
    await db.rows(sql`
      DELETE FROM todo_removals WHERE id = ${id}::uuid AND (items = '[]' OR ${isFinal ?? false}::boolean)`);
  });
}

/** Runs due removals. */
export const removeToDoItems = declareSchedule(NAME, INTERVAL_MS, (tools: JobContext<Db>) =>
  deliverDue(tools, { schedule: NAME, table: 'todo_removals', waiting: sql`TRUE` }, (row) => removeBatch(tools, row)),
);
