/**
 * Opportunities and meetings of the demo. Chosen: the demo has no quotes, orders or proposals, because they need a
 * customer of finance and products of inventory, whose demos run later. Documents with missing customers would open,
 * but could never be converted to an invoice.
 */
import { randomUUIDv7 } from 'node:crypto';
import {
  randomContact,
  dayOf,
  daysFrom,
  isChosen,
  randomMoment,
  randomNumber,
  pickOne,
  pickWeighted,
} from '@suite/demo';
import type { DemoRows } from './demo-rows.ts';
import type { DemoContext } from './demo-leads.ts';
import { MEETINGS, MINUTES, OFFERS, PLACES } from './demo-texts.ts';

const PROBABILITIES = {
  prospecting: 10,
  qualification: 25,
  proposal: 50,
  negotiation: 75,
  closed_won: 100,
  closed_lost: 0,
};

/** Adds an opportunity from the last four months. */
export function addOpportunity(rows: DemoRows, { now, sellers, source_ids }: DemoContext): void {
  const { company, name: contactName } = randomContact();
  const owner_id = pickOne(sellers);
  const created_at = daysFrom(now, -randomNumber(3, 120));
  const stage = pickWeighted<keyof typeof PROBABILITIES>([
    [3, 'prospecting'],
    [4, 'qualification'],
    [4, 'proposal'],
    [3, 'negotiation'],
    [3, 'closed_won'],
    [2, 'closed_lost'],
  ]);
  const closed_at = stage.startsWith('closed_') ? randomMoment(daysFrom(created_at, 1), daysFrom(now, -0.5)) : null;
  const updated_at = closed_at ?? randomMoment(created_at, now);
  rows.opportunities.push({
    id: randomUUIDv7(),
    name: `${company}: ${pickOne(OFFERS).toLowerCase()}`,
    contact: contactName,
    owner_id,
    stage,
    closed_at,
    probability: PROBABILITIES[stage],
    amount: `${randomNumber(2_000, 120_000, 500)}.00`,
    expected_close: dayOf(closed_at ? daysFrom(closed_at, randomNumber(-7, 7)) : daysFrom(now, randomNumber(5, 90))),
    source_id: isChosen(0.7) ? pickOne(source_ids) : null,
    created_by: owner_id,
    updated_by: owner_id,
    created_at,
    updated_at,
    version: stage === 'prospecting' ? 1 : 2,
  });
}

/** Returns the parent of a meeting, its owner and its earliest possible day. */
function meetingParent(rows: DemoRows): { parent: object; owner_id: string; since: Date } {
  const kind = pickWeighted<'leads' | 'deals' | 'opportunities'>([
    [4, 'leads'],
    [4, 'deals'],
    [3, 'opportunities'],
  ]);
  const { id, created_at, created_by, ...card } = pickOne<(typeof rows)['leads' | 'deals' | 'opportunities'][number]>(
    rows[kind],
  );
  const column = { leads: 'lead_id', deals: 'deal_id', opportunities: 'opportunity_id' }[kind];
  const owner_id = 'owner_id' in card ? card.owner_id : String(created_by);
  return { parent: { [column]: id }, owner_id, since: created_at as Date };
}

const HOUR_MS = 3_600_000;

/** Adds a past or future meeting within working hours. */
export function addMeeting(rows: DemoRows, { now, sellers }: DemoContext): void {
  const { parent, owner_id, since } = meetingParent(rows);
  const day = dayOf(randomMoment(daysFrom(since, 1), daysFrom(now, 21)));
  const start = new Date(day.getTime() + randomNumber(7, 15) * HOUR_MS + pickOne([0, HOUR_MS / 2]));
  const isOver = start < now;
  const status = isOver
    ? pickWeighted([
        [8, 'held'],
        [1, 'not_held'],
        [1, 'cancelled'],
      ])
    : 'planned';
  const created_at = randomMoment(since, isOver ? start : now);
  const id = randomUUIDv7();
  rows.meetings.push({
    id,
    ...parent,
    name: pickOne(MEETINGS),
    location: pickOne(PLACES),
    status,
    timezone: 'Europe/Berlin',
    start,
    end: new Date(start.getTime() + pickOne([1, 2, 3]) * (HOUR_MS / 2)),
    description: status === 'held' ? pickOne(MINUTES) : null,
    created_by: owner_id,
    updated_by: owner_id,
    created_at,
    updated_at: created_at,
    version: isOver ? 2 : 1,
  });
  const answer = (): string => (isOver || isChosen(0.6) ? 'accepted' : 'pending');
  const colleagues = new Set(isChosen(0.4) ? [owner_id, pickOne(sellers)] : [owner_id]);
  for (const user_id of colleagues) rows.attendees.push({ meeting_id: id, user_id, response: answer() });
  const { name, email } = randomContact();
  rows.attendees.push({ meeting_id: id, name, email, response: answer() });
}
