/** Creates and updates events. */
import { change } from '@suite/chassis/database';
import { fault, invalid } from '@suite/chassis/faults';
import { daysFrom } from '@suite/time-zones';
import { writeParts } from '../../organisation/audiences/audience.ts';
import { audienceMembers, queueMails } from '../notice-mails/notice-mail.ts';
import { eventStates } from '../notices/notice.rules.ts';
import { changeAudience, lockNotice, type NoticeContext, prepareAudience } from '../notices/notice.ts';
import type { EventChanges, EventInput } from './event.schema.ts';
import { readEvent } from './event.view.ts';

export const EventTooLong = fault(422, 'event_too_long', 'An event can last at most 31 days. Choose an earlier end.');

/** Maximum length of an event, in days. */
export const EVENT_DAYS_MAX = 31;

function assertTimes({ start, end }: { start: string; end: string }): void {
  const [from, to] = [Date.parse(start), Date.parse(end)];
  if (to <= from) throw invalid('end', 'The end must be after the start.');
  const days = daysFrom(new Date(from).toISOString().slice(0, 10), new Date(to).toISOString().slice(0, 10));
  if (days > EVENT_DAYS_MAX) throw EventTooLong({ field: 'end', most_days: EVENT_DAYS_MAX });
}

/** Creates a draft. @throws a 422 fault if the times are in the wrong order or the audience is invalid */
export async function createEvent(context: NoticeContext, { audience, timezone, ...input }: EventInput) {
  const { db, caller } = context;
  assertTimes(input);
  const ids = await prepareAudience(context, audience);
  const zone = timezone ?? caller.timezone;
  const { id } = await db.event.create({ data: { ...input, timezone: zone, audience: ids } as never });
  if (audience) await writeParts(db, 'event', id, audience);
  return await readEvent(db, caller, id);
}

/** Fields whose changes are e-mailed to all invited employees. */
const ANNOUNCED_FIELDS = ['title', 'start', 'end', 'timezone', 'location'] as const;

/**
 * Changes an event. Invited employees are notified about a new time or place. @throws Stale, InvalidTransition for a
 * past event
 */
export async function changeEvent(
  context: NoticeContext,
  id: string,
  { version: _, audience, ...patch }: EventChanges,
  expect: number | undefined,
) {
  const { db, caller } = context;
  const before = await lockNotice(context, 'event', id, expect);
  eventStates.assertFits('update', before, caller);
  const is = await db.event.findFirstOrThrow({ where: { id } });
  assertTimes({ start: patch.start ?? is.start.toISOString(), end: patch.end ?? is.end.toISOString() });
  await changeAudience(context, 'event', before, audience);
  const after = await change(db.event, id, patch as never);
  const isOther = ANNOUNCED_FIELDS.some((name) => String(after[name]) !== String(is[name]));
  if (before.is_shown && isOther) {
    await queueMails(db, 'changed', { kind: 'event', id }, audienceMembers('event', id));
  }
  return await readEvent(db, caller, id);
}
