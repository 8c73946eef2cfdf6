/** Events as lists and answers show them. */
import { type Caller, type ListRequest, type Page, paginate, readOne } from '@suite/chassis';
import { aimedAt } from '../audiences/audience.view.ts';
import { eventStates } from '../notices/notice.rules.ts';
import { noticeView } from '../notices/notice.view.ts';
import type { Db } from '../operations.ts';
import { Event } from './event.schema.ts';

/** One page of the events that the caller sees. */
export function listEvents(db: Db, caller: Caller, asked: ListRequest): Promise<Page> {
  const { request, where } = aimedAt('events', asked);
  return paginate(db, request, { ...noticeView('event', eventStates, caller), where });
}

/** An event. @throws NotFound */
export const readEvent = (db: Db, caller: Caller, id: string) =>
  readOne(db, Event, id, noticeView('event', eventStates, caller));
