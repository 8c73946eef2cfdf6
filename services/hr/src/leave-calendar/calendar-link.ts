/** Links by which calendar programs read who is away. Of their tokens only hashes are kept. */
import { createHash, randomBytes } from 'node:crypto';
import { type Caller, enterWorkspace, find, invalid, NotFound, remove, sql } from '@suite/chassis';
import { daysAfter } from '@suite/wall-clock';
import { leaveToday } from '../leave-ledger/accounts.ts';
import type { Db } from '../operations.ts';
import { leaveFile } from './leave-file.ts';
import { readAway } from './leave-calendar.ts';
import type { LinkInput } from './leave-calendar.schema.ts';

const TOKEN = /^([\w-]{22})\.([\w-]{43})$/;
const HINT_LENGTH = 4;
/** The days that a link shows. */
const BACK_DAYS = 31;
const AHEAD_DAYS = 366;

const hashOf = (word: string): Uint8Array<ArrayBuffer> => new Uint8Array(createHash('sha256').update(word).digest());

const workspaceOf = (text: string): string =>
  Buffer.from(text, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Makes a link. Its token is told this once: 256 random bits, and the workspace in front of them. */
export async function makeLink(db: Db, { user_id, workspace_id }: Caller, { name, department_id }: LinkInput) {
  if (department_id && (await db.department.count({ where: { id: department_id } })) === 0)
    throw invalid('department_id', 'There is no such department.');
  const secret = randomBytes(32).toString('base64url');
  const workspace = Buffer.from(workspace_id.replaceAll('-', ''), 'hex').toString('base64url');
  const kept = { token_hash: hashOf(secret), token_hint: secret.slice(0, HINT_LENGTH) };
  const link = await db.leaveCalendarLink.create({
    data: { name, user_id, ...(department_id && { department_id }), ...kept },
  });
  return { ...link, token: `${workspace}.${secret}` };
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
  const [, workspace, secret] = TOKEN.exec(token) ?? [];
  if (!workspace || !secret) throw NotFound();
  const workspace_id = workspaceOf(workspace);
  if (!caller) await enterWorkspace(workspace_id, null);
  else if (caller.workspace_id !== workspace_id) throw NotFound();
  const [link] = await db.rows<{ name: string; department_id: string | null }>(sql`
    SELECT name, department_id FROM leave_calendar_links WHERE token_hash = ${hashOf(secret)}
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
