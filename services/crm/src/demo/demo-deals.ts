/** Demo deals: converted leads, and deals created directly. */
import { randomUUIDv7 } from 'node:crypto';
import type { DemoRows } from './demo-rows.ts';
import {
  randomContact,
  dayOf,
  daysFrom,
  isChosen,
  randomMoment,
  randomNumber,
  pickOne,
  pickSome,
  pickWeighted,
} from '@suite/demo';
import type { ConvertedLead, DemoContext } from './demo-leads.ts';
import { addDemoActivities } from './demo-activities.ts';
import { type FinalStatus, stagePath, recordStageHistory, type StageStep, stageSteps } from './stage-history.ts';
import { LOST_REASONS, OFFERS } from './demo-texts.ts';

type DealOrigin = Omit<ConvertedLead, 'lead_id'> & { lead_id: string | null };

/** Returns the origin of a deal that was not converted from a lead. */
function newOrigin({ now, pipelines, sellers, source_ids }: DemoContext): DealOrigin {
  const { company, phone, email } = randomContact();
  return {
    lead_id: null,
    deal_id: randomUUIDv7(),
    phone,
    email,
    pipeline: pickOne([pipelines[0], ...pipelines]),
    owner_id: pickOne(sellers),
    source_ids: [pickOne(source_ids)],
    name: `${company}: ${pickOne(OFFERS).toLowerCase()}`,
    price: `${randomNumber(1_000, 90_000, 500)}.00`,
    at: daysFrom(now, -randomNumber(3, 160)),
  };
}

/** Returns the expected closing date. For a closed deal, it is close to the actual date. */
const expectedClose = (now: Date, closed_at: Date | null): Date =>
  dayOf(closed_at ? daysFrom(closed_at, randomNumber(-10, 10)) : daysFrom(now, randomNumber(-5, 75)));

function addMembers(
  rows: DemoRows,
  context: DemoContext,
  { deal_id, pipeline, owner_id, source_ids }: DealOrigin,
): void {
  for (const label_id of pickSome(pipeline.label_ids, 2)) rows.deal_labels.push({ deal_id, label_id });
  for (const source_id of source_ids) rows.deal_sources.push({ deal_id, source_id });
  const others = context.sellers.filter((id) => id !== owner_id);
  const users = others.length > 0 && isChosen(0.3) ? [owner_id, pickOne(others)] : [owner_id];
  for (const user_id of users) rows.deal_users.push({ deal_id, user_id });
  if (context.client_ids.length > 0 && isChosen(0.15))
    rows.deal_clients.push({ deal_id, client_id: pickOne(context.client_ids) });
}

/** Adds a deal with all its details. Without a converted lead, the deal has no origin. */
export function addDeal(rows: DemoRows, context: DemoContext, converted?: ConvertedLead): void {
  const origin = converted ?? newOrigin(context);
  const { deal_id: id, lead_id, pipeline, name, price, phone, email, owner_id, at: begun } = origin;
  const end = pickWeighted<FinalStatus>([
    [5, 'open'],
    [3, 'won'],
    [2, 'lost'],
  ]);
  const steps = stageSteps(
    stagePath(pipeline.deal_stages, end),
    begun,
    randomMoment(begun, daysFrom(context.now, -0.02)),
  );
  const { stage, at: stage_since } = steps.at(-1) as StageStep;
  const closed_at = end === 'open' ? null : stage_since;
  const lost_reason = end === 'lost' ? pickOne(LOST_REASONS) : null;
  rows.deals.push({
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
  addMembers(rows, context, origin);
  recordStageHistory(rows, { kind: 'deal', id, name, maker: owner_id, by: owner_id, lost_reason }, steps);
  const until = closed_at ?? context.now;
  addDemoActivities(rows, { kind: 'deal', id, begun, until, is_open: !closed_at, worker: owner_id, email });
}
