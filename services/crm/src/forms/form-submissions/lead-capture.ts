/**
 * Turns a submitted form into a lead, or adds it to an open lead. Nothing is overwritten or moved. A lead is accepted
 * even if the form's stage, owner or label no longer exists.
 */
import { createRequire } from 'node:module';
import { change, sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { LeadResubmitted } from '@suite/proto/crm/v1/events';
import type * as PhoneNumbers from 'libphonenumber-js';
import { assign } from '../../pipeline/board/members.ts';
import { serializeOn } from '../../pipeline/board/order.ts';
import { addActivity } from '../../pipeline/board/timeline.ts';
import { createLead, type LeadOrigin } from '../../leads/lead.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { LEAD_FIELDS } from '../widgets/widget.rules.ts';
import type { Form } from '../lead-forms/form-lookup.ts';
import type { FormValues } from './form-value.rules.ts';

/** Data about a visitor, with the note to add. */
interface Visit extends Pick<LeadOrigin, 'consent' | 'attribution'> {
  values: FormValues;
  note: string;
}

/** Lead columns that a form can fill. */
type LeadColumn = keyof typeof LEAD_FIELDS;
type LeadValues = Partial<Record<LeadColumn, string>>;

/** Maximum length of a lead column, in characters. The note contains the full text. */
const MAX_COLUMN_LENGTH = 200;
const truncate = (text: string): string => text.slice(0, MAX_COLUMN_LENGTH).replace(/\p{Cs}$/u, '');

/** Returns the lead columns that the form filled. */
const leadValuesOf = (values: FormValues): LeadValues =>
  Object.fromEntries(
    Object.entries(LEAD_FIELDS).flatMap(([name, type]) => {
      const value = values.get(name);
      return typeof value === 'string' ? [[name, type === 'text' ? truncate(value) : value]] : [];
    }),
  );

const require = createRequire(import.meta.url);
/**
 * Lazily loaded for the first number: the package has the number plans of all countries, and most processes never
 * compare numbers.
 */
const phoneNumbers = () => require('libphonenumber-js') as typeof PhoneNumbers;

/** Returns a phone number in a comparable form (E.164), or its digits if the country is unknown. */
export function comparablePhone(phone: string, country: string): string {
  const { isSupportedCountry, parsePhoneNumberFromString } = phoneNumbers();
  const known = isSupportedCountry(country) ? country : undefined;
  return parsePhoneNumberFromString(phone, known)?.number ?? phone.replaceAll(/\D/g, '');
}

interface MatchingLead extends Record<LeadColumn, string | null> {
  id: string;
  pipeline_id: string;
  consent: object | null;
  attribution: object | null;
}

const columns = sql`id, pipeline_id, name, company, job_title, subject, email, phone, website, consent, attribution`;

/** Returns the newest open lead with an e-mail address. */
async function findLeadByEmail(db: Db, email: string): Promise<MatchingLead | undefined> {
  const [lead] = await db.rows<MatchingLead>(sql`
    SELECT ${columns} FROM leads WHERE email = ${email} AND status = 'open'
    ORDER BY created_at DESC, id DESC LIMIT 1 FOR NO KEY UPDATE`);
  return lead;
}

/**
 * Number of trailing digits that are compared to find candidates. Country codes and dialling prefixes precede these
 * digits.
 */
const LAST_DIGITS = 7;

/** Finds the newest open lead with a phone number, regardless of its format. */
async function findLeadByPhone(db: Db, phone: string, country: string): Promise<MatchingLead | undefined> {
  const wanted = comparablePhone(phone, country);
  const end = wanted.replaceAll(/\D/g, '').slice(-LAST_DIGITS);
  const similar = await db.rows<MatchingLead>(sql`
    SELECT ${columns} FROM leads
    WHERE right(regexp_replace(phone, '\D', '', 'g'), ${LAST_DIGITS}::int) = ${end} AND status = 'open'
    ORDER BY created_at DESC, id DESC LIMIT 100 FOR NO KEY UPDATE`);
  return similar.find((lead) => lead.phone !== null && comparablePhone(lead.phone, country) === wanted);
}

/** Finds the open lead of a visitor. Concurrent submissions with the same address or number wait for each other. */
async function findMatchingLead(
  db: Db,
  { email, phone }: LeadValues,
  country: string,
): Promise<MatchingLead | undefined> {
  if (email) {
    await serializeOn(db, `visitor ${email}`);
    return await findLeadByEmail(db, email);
  }
  if (!phone) return undefined;
  await serializeOn(db, `visitor ${comparablePhone(phone, country)}`);
  return await findLeadByPhone(db, phone, country);
}

/**
 * Returns the stage of a new lead. Uses the stage of the form while it exists and accepts new leads. The fallback is
 * the first stage of its pipeline, then of the default pipeline.
 */
async function findStage(
  db: Db,
  { pipeline_id, stage_id }: Form,
): Promise<{ pipeline_id?: string; stage_id?: string }> {
  const [stage] = await db.rows<{ pipeline_id: string }>(sql`
    SELECT pipeline_id FROM lead_stages WHERE id = ${stage_id}::uuid AND type <> 'lost'`);
  if (stage) return { pipeline_id: stage.pipeline_id, stage_id };
  const [pipeline] = await db.rows(sql`
    SELECT id FROM pipelines WHERE id = ${pipeline_id}::uuid
      AND EXISTS (SELECT FROM lead_stages WHERE lead_stages.pipeline_id = pipelines.id AND type <> 'lost')`);
  return pipeline ? { pipeline_id } : {};
}

/**
 * Returns the owner of a new lead: the owner of the form while they work here, or else an owner of the workspace.
 * Chosen: a new lead goes to an owner of the workspace, because pipelines have no owner.
 */
async function ownerOf(db: Db, { owner_id }: Form): Promise<string> {
  const [owner] = await db.rows<{ id: string }>(sql`
    SELECT id FROM users
    WHERE (id = ${owner_id}::uuid OR kind = 'owner') AND kind IN ('owner', 'staff') AND status <> 'former'
    ORDER BY status = 'disabled', id <> ${owner_id}::uuid, status <> 'active', id LIMIT 1`);
  return owner?.id ?? owner_id;
}

/** Adds the form's source and labels to a lead, if they still exist. */
async function addSourceAndLabels(
  db: Db,
  lead: { id: string; pipeline_id: string },
  { source_id, label_ids }: Form,
): Promise<void> {
  const sources = await db.rows<{ id: string }>(sql`SELECT id FROM sources WHERE id = ${source_id}::uuid FOR SHARE`);
  const labels = await db.rows<{ id: string }>(sql`
    SELECT id FROM labels WHERE id = ANY(${label_ids}::uuid[])
      AND (pipeline_id IS NULL OR pipeline_id = ${lead.pipeline_id}::uuid) FOR SHARE`);
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
  await assign(db, 'lead', lead, { source_ids: ids(sources), label_ids: ids(labels) });
}

/** Fills the empty fields of a lead. */
async function fillEmptyFields(
  db: Db,
  lead: MatchingLead,
  facts: LeadValues,
  { consent, attribution }: Visit,
): Promise<void> {
  const missing = Object.entries(facts).filter(([name]) => !lead[name as LeadColumn]);
  await change(db.lead, lead.id, {
    ...Object.fromEntries(missing),
    ...(!lead.consent && consent && { consent: JSON.parse(consent) }),
    ...(!lead.attribution && { attribution: JSON.parse(attribution) }),
    last_activity_at: clock.now(),
  });
  const fields = missing.map(([name]) => name);
  if (fields.length > 0) await addActivity(db, { lead_id: lead.id }, 'updated', { fields });
}

/**
 * Creates a lead from a submission, or adds it to the newest open lead with the same e-mail address. Without an
 * address, the phone number is compared. Lost and converted leads remain unchanged.
 */
export async function captureLead(
  context: CommandContext,
  form: Form,
  visit: Visit,
): Promise<{ lead_id: string; merged: boolean }> {
  const { db, emit } = context;
  const facts = leadValuesOf(visit.values);
  const known = await findMatchingLead(db, facts, form.country);
  if (known) await fillEmptyFields(db, known, facts, visit);
  const lead = known ?? (await createFormLead(context, form, facts, visit));
  await addSourceAndLabels(db, lead, form);
  const { id: discussion_id } = await db.discussion.create({ data: { lead_id: lead.id, comment: visit.note } });
  await addActivity(db, { lead_id: lead.id }, 'note_added', { discussion_id });
  if (known) emit(LeadResubmitted, { lead_id: lead.id, widget_id: form.id });
  return { lead_id: lead.id, merged: known !== undefined };
}

async function createFormLead(
  context: CommandContext,
  form: Form,
  facts: LeadValues,
  { consent, attribution }: Visit,
): Promise<{ id: string; pipeline_id: string }> {
  const { db } = context;
  const [place, owner_id] = [await findStage(db, form), await ownerOf(db, form)];
  const subject = facts.subject ?? facts.name ?? facts.company ?? facts.email;
  return await createLead(context, { ...facts, subject, ...place, owner_id }, [], {
    origin: 'widget',
    consent,
    attribution,
  });
}
