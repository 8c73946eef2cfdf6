/** Announcements as lists and answers show them. */
import { type Caller, type ListRequest, type Page, readOne } from '@suite/chassis';
import { ownAcknowledgment } from '../acknowledgments/acknowledgment.view.ts';
import { announcementStates } from '../notices/notice.rules.ts';
import { listNotices, noticeView } from '../notices/notice.view.ts';
import type { Db } from '../operations.ts';
import { AnnouncementDetails } from './announcement.schema.ts';

function viewFor(caller: Caller) {
  const { table, compute } = noticeView('announcement', announcementStates, caller);
  return { table, compute: { ...compute, acknowledgment: ownAcknowledgment('announcement', caller) } };
}

/** One page of the announcements that the caller sees. */
export const listAnnouncements = (db: Db, caller: Caller, asked: ListRequest): Promise<Page> =>
  listNotices({ db, caller }, 'announcement', asked, viewFor(caller));

/** An announcement. @throws NotFound */
export const readAnnouncement = (db: Db, caller: Caller, id: string) =>
  readOne(db, AnnouncementDetails, id, viewFor(caller));
