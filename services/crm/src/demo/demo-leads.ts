/** Demo leads: from all origins, of the last six months, across the stages of their pipeline. */
import { randomUUIDv7 } from 'node:crypto';
import { type DemoRows } from './demo-rows.ts';
import type { Catalogue, DemoPipeline } from './catalogue.ts';
import { contact, dayOf, daysFrom, happens, momentBetween, randomNumber, oneOf, someOf, weighted } from '@suite/demo';
import { addDemoActivities } from './demo-activities.ts';
import { type End, pathTo, recordWalk, type StageStep, stageSteps } from './stage-walk.ts';
import { LOST_REASONS, OFFERS } from './wording.ts';

/** Pipelines, users and records of the demo. */
export interface DemoContext extends Catalogue {
  now: Date;
  currency: string;
  /** Sellers. A user who is listed more often sells more. */
  sellers: string[];
  client_ids: string[];
}

/** Lead that is converted to a deal. */
export interface Converted {
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
const recently = (now: Date): Date => daysFrom(now, -HALF_A_YEAR * (randomNumber(5, 1_000) / 1_000) ** 1.5);

const originOf = (who: ReturnType<typeof contact>, begun: Date) => {
  const origin = weighted([
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
const outlook = (now: Date, is_open: boolean) => ({
  next_follow_up: is_open && happens(0.55) ? dayOf(daysFrom(now, randomNumber(-3, 21))) : null,
  score: happens(0.7) ? randomNumber(5, 95, 5) : null,
});

/** Returns the outcome of the lead at an index: first the converted leads, then the lost ones. */
export const endOf = (index: number, { converted, lost }: { converted: number; lost: number }): End | 'converted' => {
  if (index < converted) return 'converted';
  return index < converted + lost ? 'lost' : happens(0.12) ? 'on_hold' : 'open';
};

interface Draft {
  id: string;
  pipeline: DemoPipeline;
  begun: Date;
  steps: StageStep[];
  owner_id: string;
  who: ReturnType<typeof contact>;
  offer: string;
}

function draft(context: DemoContext, end: End | 'converted'): Draft {
  const pipeline = oneOf([context.pipelines[0], context.pipelines[0], ...context.pipelines]);
  // A closed lead starts earlier, to leave time for its history.
  const begun = end === 'open' ? recently(context.now) : daysFrom(recently(context.now), -7);
  const path = pathTo(pipeline.lead_stages, end === 'converted' ? 'open' : end, end === 'converted');
  const arrived = momentBetween(begun, daysFrom(context.now, end === 'converted' ? -2 : -0.05));
  return {
    id: randomUUIDv7(),
    pipeline,
    begun,
    steps: stageSteps(path, begun, arrived),
    owner_id: oneOf(context.sellers),
    who: contact(),
    offer: oneOf(OFFERS),
  };
}

/** Adds the row of a lead. */
function enterLead(book: DemoRows, context: DemoContext, { id, pipeline, begun, steps, owner_id, who, offer }: Draft) {
  const { stage, at: stage_since } = steps.at(-1) as StageStep;
  const lost_reason = stage.type === 'lost' ? oneOf(LOST_REASONS) : null;
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
    ...outlook(context.now, !lost_reason),
    subject: `Enquiry: ${offer.toLowerCase()}`,
    expected_value: happens(0.85) ? `${randomNumber(500, 48_000, 250)}.00` : null,
    notes: happens(0.2) ? `Found us through ${contact().name}.` : null,
  };
  book.leads.push(lead);
  recordWalk(book, { kind: 'lead', id, name, maker: by, by: owner_id, lost_reason }, steps);
  return lead;
}

/** Adds labels, sources and users to a lead. Returns its sources. */
function enterMembers(book: DemoRows, context: DemoContext, { id: lead_id, pipeline, owner_id }: Draft): string[] {
  const source_ids = happens(0.8) ? [oneOf(context.source_ids)] : [];
  for (const label_id of someOf(pipeline.label_ids, 2)) book.lead_labels.push({ lead_id, label_id });
  for (const source_id of source_ids) book.lead_sources.push({ lead_id, source_id });
  const others = context.sellers.filter((id) => id !== owner_id);
  if (others.length > 0 && happens(0.15)) book.lead_users.push({ lead_id, user_id: oneOf(others) });
  return source_ids;
}

/** Adds a lead with all its details. Returns the data for its deal if it was converted. */
export function addLead(book: DemoRows, context: DemoContext, end: End | 'converted'): Converted | undefined {
  const drafted = draft(context, end);
  const lead = enterLead(book, context, drafted);
  const source_ids = enterMembers(book, context, drafted);
  const { begun, pipeline, offer } = drafted;
  const { id, owner_id, email, phone, stage_since } = lead;
  const at = momentBetween(stage_since, context.now);
  const ended = { converted: at, lost: stage_since, won: at }[end as string];
  const until = ended ?? context.now;
  addDemoActivities(book, { kind: 'lead', id, begun, until, is_open: !ended, worker: owner_id, email });
  if (end !== 'converted') return undefined;

  const deal_id = randomUUIDv7();
  const settled = { status: 'converted', converted_at: at, converted_deal_id: deal_id, next_follow_up: null };
  Object.assign(lead, settled, { version: lead.version + 1 });
  book.activities.push({ lead_id: id, actor_id: owner_id, at, type: 'converted', payload: { deal_id } });
  const price = lead.expected_value ?? '2500.00';
  const name = `${lead.company}: ${offer.toLowerCase()}`;
  return { lead_id: id, deal_id, pipeline, name, price, phone, email, owner_id, source_ids, at };
}
