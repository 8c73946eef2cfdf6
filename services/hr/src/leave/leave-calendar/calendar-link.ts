/** Links to leave calendars for calendar programs. Only token hashes are stored. */
import { find, remove, sql } from '@suite/chassis/database';
import { invalid, NotFound } from '@suite/chassis/faults';
import { type Caller, linkTokens } from '@suite/chassis/identity';
import { enterByToken } from '@suite/chassis/operations';
import { daysAfter } from '@suite/time-zones';
import { leaveToday } from '../../employment/leave-ledger/accounts.ts';
import type { Db, Rpc } from '../../operations.ts';
import { leaveFile } from './leave-file.ts';
import { canReadCalendar, readAbsences } from './leave-calendar.ts';
import type { LinkInput } from './leave-calendar.schema.ts';

/** Number of past days that a link shows. */
const BACK_DAYS = 31;
const AHEAD_DAYS = 366;

/**
 * Creates a link for a caller with access to the calendar. Returns its token only once. @throws a 422 fault
 */
export async function makeLink(db: Db, caller: Caller, { name, department_id }: LinkInput) {
  const { user_id, workspace_id } = caller;
  if (department_id && (await db.department.count({ where: { id: department_id } })) === 0)
    throw invalid('department_id', 'Department not found.');
  const { token, stored } = linkTokens.make(workspace_id);
  const link = await db.leaveCalendarLink.create({
    data: { name, user_id, ...(department_id && { department_id }), ...stored },
  });
  return { ...link, token };
}

/** Revokes one of the caller's own links. @throws NotFound */
export async function revokeLink(db: Db, { user_id }: Caller, id: string) {
  const link = await find(db.leaveCalendarLink, id);
  if (link.user_id !== user_id) throw NotFound();
  return await remove(db.leaveCalendarLink, id);
}

interface CalendarLink {
  name: string;
  department_id: string | null;
  user_id: string;
  workspace_id: string;
}

/**
 * Finds the link of a token, in the workspace that the token names. @throws NotFound if the link is unknown or revoked
 */
async function enterByLink(db: Db, caller: Caller | null, token: string): Promise<CalendarLink> {
  const token_hash = await enterByToken(caller, token);
  const [link] = await db.rows<CalendarLink>(sql`
    SELECT name, department_id, user_id, workspace_id FROM leave_calendar_links WHERE token_hash = ${token_hash}`);
  if (!link) throw NotFound();
  return link;
}

interface LinkContext {
  caller: Caller | null;
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  rpcIn(workspace_id: string): Pick<Rpc, 'platform'>;
}

/**
 * Checks that the creator of a link can still read the calendar. A link shows no more than its creator can see. The
 * link stops working in four cases: the creator's account is disabled, their employment ends, they lose `leave.view`,
 * or the workspace loses the module.
 * @throws NotFound, as for an unknown token
 */
export async function assertLinkOpen({ caller, read, rpcIn }: LinkContext, token: string): Promise<void> {
  const { user_id, workspace_id } = await read((db) => enterByLink(db, caller, token));
  const { users } = await rpcIn(workspace_id).platform.batchGetRights({ user_ids: [user_id] });
  const [rights] = users;
  if (!rights?.modules.includes('hrm')) throw NotFound();
  const { permissions } = rights;
  const isColleague = await read(async (db) => {
    await enterByLink(db, caller, token);
    return await canReadCalendar(db, { user_id, permissions });
  });
  if (!isColleague) throw NotFound();
}

/**
 * Returns the calendar of a link. Chosen: a calendar link shows only names and days, which all colleagues may see,
 * regardless of the creator's permissions.
 * @throws NotFound for an unknown or revoked token
 */
export async function calendarOfLink(db: Db, caller: Caller | null, token: string): Promise<string> {
  const { name: title, department_id } = await enterByLink(db, caller, token);
  const today = await leaveToday(db);
  const away = await readAbsences(db, {
    from: daysAfter(today, -BACK_DAYS),
    to: daysAfter(today, AHEAD_DAYS),
    department_id,
  });
  return leaveFile(
    title,
    away.map(({ name, ...event }) => ({ ...event, title: name })),
  );
}
