/** Creates and updates announcements. */
import { change } from '@suite/chassis/database';
import { writeParts } from '../../organisation/audiences/audience.ts';
import { announcementStates, assertNoticeOpen, assertNoticeSpan } from '../notices/notice.rules.ts';
import { changeAudience, lockNotice, type NoticeContext, prepareAudience } from '../notices/notice.ts';
import { dayChanges } from '../notices/notice.view.ts';
import type { AnnouncementChanges, AnnouncementInput } from './announcement.schema.ts';
import { readAnnouncement } from './announcement.view.ts';

/** Creates a draft. @throws a 422 fault if the days are in the wrong order or the audience is invalid */
export async function createAnnouncement(
  context: NoticeContext,
  { audience, start, end, ...input }: AnnouncementInput,
) {
  const { db, caller } = context;
  assertNoticeSpan({ start, end });
  const ids = await prepareAudience(context, audience);
  const days = dayChanges({ start, end });
  const { id } = await db.announcement.create({ data: { ...input, ...days, audience: ids } });
  if (audience) await writeParts(db, 'announcement', id, audience);
  return await readAnnouncement(db, caller, id);
}

/**
 * Updates an announcement. Once shown to employees, only its end and audience can change. @throws AlreadyPublished,
 * Stale
 */
export async function changeAnnouncement(
  context: NoticeContext,
  id: string,
  { version: _, audience, start, end, ...patch }: AnnouncementChanges,
  expect: number | undefined,
) {
  const { db, caller } = context;
  const before = await lockNotice(context, 'announcement', id, expect);
  const given = Object.entries({ ...patch, start, end, audience }).filter(([, value]) => value !== undefined);
  assertNoticeOpen(
    announcementStates,
    before,
    caller,
    given.map(([name]) => name),
  );
  assertNoticeSpan({ start: start === undefined ? before.start : start, end: end === undefined ? before.end : end });
  await changeAudience(context, 'announcement', before, audience);
  await change(db.announcement, id, { ...patch, ...dayChanges({ start, end }) });
  return await readAnnouncement(db, caller, id);
}
