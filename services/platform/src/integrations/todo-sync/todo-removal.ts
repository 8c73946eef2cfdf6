/**
 * Deletion of tasks from disconnected calendars. The secrets are erased afterwards, or when the deletion is given up.
 */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { every, scheduled, type Tools } from '@suite/chassis/service';
import { within } from '@suite/outbound-http';
import { readSealed } from '@suite/field-encryption';
import { type Calendar, deleteEntry, isAboutEntry } from '../caldav/calendar.ts';
import { deliverDue, type DueDelivery, inSeconds } from '../../connections/integrations/delivery.ts';
import { asFailedAttempt } from '../../connections/integrations/server-refused.ts';
import type { Db } from '../../operations.ts';
import { calendarOf } from '../todo-connection/todo-connection.ts';
import { removalPlace } from './todo-sync.ts';

const NAME = 'platform.remove-todo-items';
const INTERVAL_MS = 5_000;
const CLAIM_S = 120;
const AT_ONCE = 20;
const RUN_MS = 20_000;
/** Interval between attempts: 15 minutes, for one day. After that, the server counts as unreachable for good. */
const AGAIN_S = 900;
const ATTEMPTS = 96;

interface Removal {
  id: string;
  calendar_url: string;
  secrets_sealed: string;
  items: string[];
  attempts: number;
}

interface Claimed extends Removal {
  secrets: { username: string; password: string };
}

async function claim(db: Db, { keys }: Pick<Tools, 'keys'>, id: string): Promise<Claimed | undefined> {
  const [removal] = await db.rows<Removal>(sql`
    UPDATE todo_removals SET next_attempt_at = ${inSeconds(CLAIM_S)}, attempts = attempts + 1
    WHERE id = ${id}::uuid AND next_attempt_at <= ${clock.now()}
    RETURNING id, calendar_url, secrets_sealed, items, attempts`);
  if (!removal) return undefined;
  const sealed = await readSealed(db, keys.master);
  return { ...removal, secrets: JSON.parse(sealed.open(removalPlace(id), removal.secrets_sealed)) };
}

/** Deletes entries until the server fails. @returns the deleted entries, and the reason for stopping */
async function deleteSome(calendar: Calendar, hrefs: readonly string[]) {
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
    return { done, failed: asFailedAttempt(error) };
  }
}

async function removeSome(tools: Tools<Db>, { id, workspace_id }: DueDelivery): Promise<void> {
  const { database, outgoing } = tools;
  const context = scheduled(NAME, workspace_id);
  const claimed = await database.write(context, (db) => claim(db, tools, id));
  if (!claimed) return;
  const { calendar_url, secrets, attempts } = claimed;
  const settings = { calendar_url, username: secrets.username };
  const calendar = calendarOf({ settings, secrets }, { outgoing: within(outgoing, RUN_MS), workspace_id });
  const { done, failed } = await deleteSome(calendar, claimed.items.slice(0, AT_ONCE));
  const isOver = failed && (!failed.passing || attempts >= ATTEMPTS);
  const [next, counted] = failed ? [inSeconds(AGAIN_S), attempts] : [clock.now(), 0];
  await database.write(context, async (db) => {
    await db.rows(sql`
      UPDATE todo_removals SET next_attempt_at = ${next}, attempts = ${counted}::int,
        items = coalesce((SELECT jsonb_agg(href) FROM jsonb_array_elements_text(items) AS left_over (href)
          WHERE href <> ALL (${done}::text[])), '[]')
      WHERE id = ${id}::uuid`);
    await db.rows(sql`
      DELETE FROM todo_removals WHERE id = ${id}::uuid AND (items = '[]' OR ${isOver ?? false}::boolean)`);
  });
}

/** Runs due removals. */
export const removeToDoItems = every(NAME, INTERVAL_MS, (tools: Tools<Db>) =>
  deliverDue(tools, { schedule: NAME, table: 'todo_removals', waiting: sql`TRUE` }, (row) => removeSome(tools, row)),
);
