/** Demo deals: converted leads, and deals created directly. */
import { randomUUIDv7 } from 'node:crypto';
import type { DemoRows } from './demo-rows.ts';
import { contact, dayOf, daysFrom, happens, momentBetween, randomNumber, oneOf, someOf, weighted } from '@suite/demo';
import type { Converted, DemoContext } from './demo-leads.ts';
import { addDemoActivities } from './demo-activities.ts';
import { type End, pathTo, recordWalk, type StageStep, stageSteps } from './stage-walk.ts';
import { LOST_REASONS, OFFERS } from './wording.ts';

type Origin = Omit<Converted, 'lead_id'> & { lead_id: string | null };

/** Returns the origin of a deal that was not converted from a lead. */
function fresh({ now, pipelines, sellers, source_ids }: DemoContext): Origin {
  const { company, phone, email } = contact();
  return {
    lead_id: null,
    deal_id: randomUUIDv7(),
    phone,
    email,
    pipeline: oneOf([pipelines[0], ...pipelines]),
    owner_id: oneOf(sellers),
    source_ids: [oneOf(source_ids)],
    name: `${company}: ${oneOf(OFFERS).toLowerCase()}`,
    price: `${randomNumber(1_000, 90_000, 500)}.00`,
    at: daysFrom(now, -randomNumber(3, 160)),
  };
}

/** Returns the expected closing date. For a closed deal, it is close to the actual date. */
const expectedClose = (now: Date, closed_at: Date | null): Date =>
  dayOf(closed_at ? daysFrom(closed_at, randomNumber(-10, 10)) : daysFrom(now, randomNumber(-5, 75)));

function enterMembers(book: DemoRows, context: DemoContext, { deal_id, pipeline, owner_id, source_ids }: Origin): void {
  for (const label_id of someOf(pipeline.label_ids, 2)) book.deal_labels.push({ deal_id, label_id });
  for (const source_id of source_ids) book.deal_sources.push({ deal_id, source_id });
  const others = context.sellers.filter((id) => id !== owner_id);
  const users = others.length > 0 && happens(0.3) ? [owner_id, oneOf(others)] : [owner_id];
  for (const user_id of users) book.deal_users.push({ deal_id, user_id });
  if (context.client_ids.length > 0 && happens(0.15))
    book.deal_clients.push({ deal_id, client_id: oneOf(context.client_ids) });
}

/** Adds a deal with all its details. Without a converted lead, the deal has no origin. */
export function addDeal(book: DemoRows, context: DemoContext, converted?: Converted): void {
  const origin = converted ?? fresh(context);
  const { deal_id: id, lead_id, pipeline, name, price, phone, email, owner_id, at: begun } = origin;
  const end = weighted<End>([
    [5, 'open'],
    [3, 'won'],
    [2, 'lost'],
  ]);
  const steps = stageSteps(
    pathTo(pipeline.deal_stages, end),
    begun,
    momentBetween(begun, daysFrom(context.now, -0.02)),
  );
  const { stage, at: stage_since } = steps.at(-1) as StageStep;
  const closed_at = end === 'open' ? null : stage_since;
  const lost_reason = end === 'lost' ? oneOf(LOST_REASONS) : null;
  book.deals.push({
    id,
    lead_id,
    name,
    price,
    currency: context.currency,
    phone,
    version: steps.length,
    pipeline_id: pipeline.id,
    stage_id: stage.id,
    stage_since,
    created_at: begun,
    created_by: owner_id,
    status: end,
    closed_at,
    lost_reason,
    expected_close: expectedClose(context.now, closed_at),
  });
  enterMembers(book, context, origin);
  recordWalk(book, { kind: 'deal', id, name, maker: owner_id, by: owner_id, lost_reason }, steps);
  const until = closed_at ?? context.now;
  addDemoActivities(book, { kind: 'deal', id, begun, until, is_open: !closed_at, worker: owner_id, email });
}
