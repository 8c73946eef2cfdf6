/** Views of events in lists and responses. */
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, type Page, readOne } from '@suite/chassis/lists';
import { eventStates } from '../notices/notice.rules.ts';
import { listNotices, noticeView } from '../notices/notice.view.ts';
import type { Db } from '../../operations.ts';
import { Event } from './event.schema.ts';

/** Returns a page of the events that the caller can see. */
export const listEvents = (db: Db, caller: Caller, request: ListRequest): Promise<Page> =>
  listNotices({ db, caller }, 'event', request, noticeView('event', eventStates, caller));

/** Returns an event. @throws NotFound */
export const readEvent = (db: Db, caller: Caller, id: string) =>
  readOne(db, Event, id, noticeView('event', eventStates, caller));
