/** Links by which calendar programs read who is away. Of their tokens only hashes are kept. */
import { type Caller, enterByToken, find, invalid, linkTokens, NotFound, remove, sql } from '@suite/chassis';
import { daysAfter } from '@suite/wall-clock';
import { leaveToday } from '../leave-ledger/accounts.ts';
import type { Db } from '../operations.ts';
import { leaveFile } from './leave-file.ts';
import { readAway } from './leave-calendar.ts';
import type { LinkInput } from './leave-calendar.schema.ts';

/** The days that a link shows. */
const BACK_DAYS = 31;
const AHEAD_DAYS = 366;

/** Makes a link. Its token is told this once. */
export async function makeLink(db: Db, { user_id, workspace_id }: Caller, { name, department_id }: LinkInput) {
  if (department_id && (await db.department.count({ where: { id: department_id } })) === 0)
    throw invalid('department_id', 'There is no such department.');
  const { token, kept } = linkTokens.make(workspace_id);
  const link = await db.leaveCalendarLink.create({
    data: { name, user_id, ...(department_id && { department_id }), ...kept },
  });
  return { ...link, token };
}

/** Revokes one of the caller's links. @throws NotFound */
export async function revokeLink(db: Db, { user_id }: Caller, id: string) {
  const link = await find(db.leaveCalendarLink, id);
  if (link.user_id !== user_id) throw NotFound();
  return await remove(db.leaveCalendarLink, id);
}

/**
 * The calendar behind a link. Chosen: it tells names and days, which every colleague may know, whoever made it: an address gets
 * about. It ends with the account of its maker.
 * @throws NotFound for a token that is unknown or revoked, alike
 */
export async function calendarBehind(db: Db, caller: Caller | null, token: string): Promise<string> {
  const token_hash = await enterByToken(caller, token);
  const [link] = await db.rows<{ name: string; department_id: string | null }>(sql`
    SELECT name, department_id FROM leave_calendar_links WHERE token_hash = ${token_hash}
      AND NOT EXISTS (SELECT FROM users WHERE users.id = leave_calendar_links.user_id AND users.status IN ('disabled', 'former'))`);
  if (!link) throw NotFound();
  const today = await leaveToday(db);
  const { department_id } = link;
  const away = await readAway(db, {
    from: daysAfter(today, -BACK_DAYS),
    to: daysAfter(today, AHEAD_DAYS),
    department_id,
  });
  return leaveFile(
    link.name,
    away.map(({ name, ...event }) => ({ ...event, title: name })),
  );
}
