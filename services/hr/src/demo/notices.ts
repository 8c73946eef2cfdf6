/** Demo notices in every state: announcements, some with a required acknowledgment, and events. */
import type { Caller } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import { daysAfter } from '@suite/time-zones';
import { AnnouncementInput } from '../notices/announcements/announcement.schema.ts';
import { createAnnouncement } from '../notices/announcements/announcement.ts';
import { createEvent } from '../notices/events/event.ts';
import { leaveToday } from '../employment/leave-ledger/accounts.ts';
import { changeNoticeStatus } from '../notices/notices/notice.ts';
import type { Db } from '../operations.ts';

const NEWS = [
  { title: 'The canteen is open again', body: 'From Monday on, with a new cook.', steps: ['publish'] },
  {
    title: 'Rules for working from home',
    body: 'Two days a week, as your lead agrees.',
    requires_ack: true,
    steps: ['publish'],
  },
  { title: 'Parking in the yard', body: 'Lorries need the gate until noon.', steps: ['publish', 'archive'] },
  { title: 'Plans for next year', body: 'We are still writing them.', steps: [] },
] as const;
const EVENTS = [
  { title: 'Summer party', in_days: 21, from: '18:00', to: '23:00', location: 'The roof', steps: ['publish'] },
  { title: 'All hands', in_days: 6, from: '09:30', to: '10:30', location: 'Hall 1', steps: ['publish'] },
  { title: 'Fire drill', in_days: 12, from: '11:00', to: '11:30', location: 'The yard', steps: ['publish', 'cancel'] },
  { title: 'Open day', in_days: 60, from: '10:00', to: '16:00', location: null, steps: [] },
] as const;

/** Creates demo notices with the functions of the operations, unless some exist. */
export async function writeNotices(work: { db: Db; emit: Emit }, caller: Caller): Promise<void> {
  const { db } = work;
  if ((await db.announcement.count()) > 0) return;
  const context = { ...work, caller };
  const harbour = await db.branch.findFirst({ where: { name: { contains: 'Harbour' } }, select: { id: true } });
  for (const [at, { steps, ...news }] of NEWS.entries()) {
    const audience = at === 2 && harbour ? { branch_ids: [harbour.id] } : undefined;
    const { id } = await createAnnouncement(context, AnnouncementInput.parse({ ...news, audience }));
    for (const action of steps) await changeNoticeStatus(context, 'announcement', id, { action, expect: undefined });
  }
  const today = await leaveToday(db);
  for (const { steps, in_days, from, to, ...event } of EVENTS) {
    const day = daysAfter(today, in_days);
    const times = { start: `${day}T${from}:00Z`, end: `${day}T${to}:00Z` };
    const { id } = await createEvent(context, { ...event, ...times });
    for (const action of steps) await changeNoticeStatus(context, 'event', id, { action, expect: undefined });
  }
}
