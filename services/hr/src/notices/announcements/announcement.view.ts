/** Views of announcements in lists and responses. */
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, type Page, readOne } from '@suite/chassis/lists';
import { ownAcknowledgment } from '../acknowledgments/acknowledgment.view.ts';
import { announcementStates } from '../notices/notice.rules.ts';
import { listNotices, noticeView } from '../notices/notice.view.ts';
import type { Db } from '../../operations.ts';
import { AnnouncementDetails } from './announcement.schema.ts';

function announcementView(caller: Caller) {
  const { table, compute } = noticeView('announcement', announcementStates, caller);
  return { table, compute: { ...compute, acknowledgment: ownAcknowledgment('announcement', caller) } };
}

/** Returns a page of the announcements that the caller can see. */
export const listAnnouncements = (db: Db, caller: Caller, request: ListRequest): Promise<Page> =>
  listNotices({ db, caller }, 'announcement', request, announcementView(caller));

/** Returns an announcement. @throws NotFound */
export const readAnnouncement = (db: Db, caller: Caller, id: string) =>
  readOne(db, AnnouncementDetails, id, announcementView(caller));
