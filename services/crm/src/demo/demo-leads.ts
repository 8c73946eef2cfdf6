/** Demo leads: from all origins, of the last six months, across the stages of their pipeline. */
import { randomUUIDv7 } from 'node:crypto';
import { type DemoRows } from './demo-rows.ts';
import type { Catalogue, DemoPipeline } from './catalogue.ts';
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
import { addDemoActivities } from './demo-activities.ts';
import { type FinalStatus, stagePath, recordStageHistory, type StageStep, stageSteps } from './stage-history.ts';
import { LOST_REASONS, OFFERS } from './demo-texts.ts';

/** Pipelines, users and records of the demo. */
export interface DemoContext extends Catalogue {
  now: Date;
  currency: string;
  /** Sellers. A user who is listed more often sells more. */
  sellers: string[];
  client_ids: string[];
}

/** Lead that is converted to a deal. */
export interface ConvertedLead {
  lead_id: string;
  deal_id: string;
  pipeline: DemoPipeline;
  name: string;
  price: string;
  phone: string;
  email: string;
  owner_id: string;
  source_ids: string[];
  at: Date;
}

const HALF_A_YEAR = 180;

/** Returns a random time in the last six months. Recent times are more frequent. */
const recentTime = (now: Date): Date => daysFrom(now, -HALF_A_YEAR * (randomNumber(5, 1_000) / 1_000) ** 1.5);

const originOf = (who: ReturnType<typeof randomContact>, begun: Date) => {
  const origin = pickWeighted([
    [9, 'manual'],
    [6, 'widget'],
    [2, 'api'],
    [3, 'import'],
  ]);
  const text = 'I agree that my details are stored to answer my enquiry.';
  if (origin !== 'widget') return { origin };
  return { origin, consent: { text, at: begun.toISOString(), ip: who.address } };
};

/** Returns the next follow-up and the score of a lead. */
const followUpOf = (now: Date, is_open: boolean) => ({
  next_follow_up: is_open && isChosen(0.55) ? dayOf(daysFrom(now, randomNumber(-3, 21))) : null,
  score: isChosen(0.7) ? randomNumber(5, 95, 5) : null,
});

/** Returns the outcome of the lead at an index: first the converted leads, then the lost ones. */
export const finalStatusOf = (
  index: number,
  { converted, lost }: { converted: number; lost: number },
): FinalStatus | 'converted' => {
  if (index < converted) return 'converted';
  return index < converted + lost ? 'lost' : isChosen(0.12) ? 'on_hold' : 'open';
};

interface LeadDraft {
  id: string;
  pipeline: DemoPipeline;
  begun: Date;
  steps: StageStep[];
  owner_id: string;
  who: ReturnType<typeof randomContact>;
  offer: string;
}

function draftLead(context: DemoContext, end: FinalStatus | 'converted'): LeadDraft {
  const pipeline = pickOne([context.pipelines[0], context.pipelines[0], ...context.pipelines]);
  // A closed lead starts earlier, to leave time for its history.
  const begun = end === 'open' ? recentTime(context.now) : daysFrom(recentTime(context.now), -7);
  const path = stagePath(pipeline.lead_stages, end === 'converted' ? 'open' : end, end === 'converted');
  const arrived = randomMoment(begun, daysFrom(context.now, end === 'converted' ? -2 : -0.05));
  return {
    id: randomUUIDv7(),
    pipeline,
    begun,
    steps: stageSteps(path, begun, arrived),
    owner_id: pickOne(context.sellers),
    who: randomContact(),
    offer: pickOne(OFFERS),
  };
}

/** Adds the row of a lead. */
function addLeadRow(
  rows: DemoRows,
  context: DemoContext,
  { id, pipeline, begun, steps, owner_id, who, offer }: LeadDraft,
) {
  const { stage, at: stage_since } = steps.at(-1) as StageStep;
  const lost_reason = stage.type === 'lost' ? pickOne(LOST_REASONS) : null;
  const { name, company, email, phone, website, job_title } = who;
  const from = originOf(who, begun);
  const by = from.origin === 'widget' ? null : owner_id;
  const lead = {
    id,
    name,
    company,
    email,
    phone,
    website,
    job_title,
    owner_id,
    ...from,
    pipeline_id: pipeline.id,
    stage_id: stage.id,
    stage_since,
    created_at: begun,
    created_by: by,
    status: lost_reason ? 'lost' : 'open',
    lost_reason,
    version: steps.length,
    ...followUpOf(context.now, !lost_reason),
    subject: `Enquiry: ${offer.toLowerCase()}`,
    expected_value: isChosen(0.85) ? `${randomNumber(500, 48_000, 250)}.00` : null,
    notes: isChosen(0.2) ? `Found us through ${randomContact().name}.` : null,
  };
  rows.leads.push(lead);
  recordStageHistory(rows, { kind: 'lead', id, name, maker: by, by: owner_id, lost_reason }, steps);
  return lead;
}

/** Adds labels, sources and users to a lead. Returns its sources. */
function addMembers(rows: DemoRows, context: DemoContext, { id: lead_id, pipeline, owner_id }: LeadDraft): string[] {
  const source_ids = isChosen(0.8) ? [pickOne(context.source_ids)] : [];
  for (const label_id of pickSome(pipeline.label_ids, 2)) rows.lead_labels.push({ lead_id, label_id });
  for (const source_id of source_ids) rows.lead_sources.push({ lead_id, source_id });
  const others = context.sellers.filter((id) => id !== owner_id);
  if (others.length > 0 && isChosen(0.15)) rows.lead_users.push({ lead_id, user_id: pickOne(others) });
  return source_ids;
}

/** Adds a lead with all its details. Returns the data for its deal if it was converted. */
export function addLead(
  rows: DemoRows,
  context: DemoContext,
  end: FinalStatus | 'converted',
): ConvertedLead | undefined {
  const drafted = draftLead(context, end);
  const lead = addLeadRow(rows, context, drafted);
  const source_ids = addMembers(rows, context, drafted);
  const { begun, pipeline, offer } = drafted;
  const { id, owner_id, email, phone, stage_since } = lead;
  const at = randomMoment(stage_since, context.now);
  const ended = { converted: at, lost: stage_since, won: at }[end as string];
  const until = ended ?? context.now;
  addDemoActivities(rows, { kind: 'lead', id, begun, until, is_open: !ended, worker: owner_id, email });
  if (end !== 'converted') return undefined;

  const deal_id = randomUUIDv7();
  const settled = { status: 'converted', converted_at: at, converted_deal_id: deal_id, next_follow_up: null };
  Object.assign(lead, settled, { version: lead.version + 1 });
  rows.activities.push({ lead_id: id, actor_id: owner_id, at, type: 'converted', payload: { deal_id } });
  const price = lead.expected_value ?? '2500.00';
  const name = `${lead.company}: ${offer.toLowerCase()}`;
  return { lead_id: id, deal_id, pipeline, name, price, phone, email, owner_id, source_ids, at };
}
