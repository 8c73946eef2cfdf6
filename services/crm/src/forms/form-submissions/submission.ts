/** Receives the form that a visitor has sent. Each form has its effect once, regardless of the outcome. */
import { createHmac } from 'node:crypto';
import { runAfterCommit, enterWorkspace, sql } from '@suite/chassis/database';
import { Fault, NotFound } from '@suite/chassis/faults';
import { derivedSecret, type Keys, callerOnBehalfOf } from '@suite/chassis/identity';
import type { Emit, RequestMetadata } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import type { Db, Read, Rpc, Write } from '../../operations.ts';
import { honeypotOf } from '../lead-forms/form.rules.ts';
import type { Submission, SubmissionReceipt } from '../lead-forms/form.schema.ts';
import { openFormToken } from '../lead-forms/form-token.ts';
import { consentText, languageOf } from '../lead-forms/form.view.ts';
import { type Form, formKey, openForm } from '../lead-forms/form-lookup.ts';
import { countHit, countOutcome } from './submission-count.ts';
import { captureLead } from './lead-capture.ts';
import { attributionOf, noteOf } from './submission-note.ts';
import { DELIVER_WIDGET_MAIL } from './widget-mail.ts';
import {
  type SubmissionAttempt,
  CONTENT_CHECKS,
  FORM_CHECKS,
  FormChanged,
  findRejection,
  SubmissionIdReused,
  valuesOf,
} from './submission.rules.ts';

/** Submitted form with the results of all checks before the transaction. */
interface PreparedSubmission {
  form: Form;
  attempt: SubmissionAttempt;
  refusal: Fault | undefined;
  language: string;
}

interface SubmissionRequest {
  body: Submission;
  request: RequestMetadata;
  query: { lang?: string | undefined };
  keys: Keys;
  public_url: string;
  read: Read;
  write: Write;
  rpc: Rpc;
}

/** Checks a submitted form in the order of the rejection table. @throws NotFound for an unknown token */
export async function prepareSubmission({
  body,
  request,
  query,
  keys,
  public_url,
  ...context
}: SubmissionRequest): Promise<PreparedSubmission> {
  const form = await openForm(context, body.token);
  const attempt: SubmissionAttempt = {
    now: clock.now(),
    form,
    body,
    origin: request.origin ?? '',
    own_origin: new URL(public_url).origin,
    idempotency_key: request.idempotency_key,
    hits: { count: 0, ends: clock.now() },
    opened: form && openFormToken(formKey(keys), form, body.form_token),
  };
  const outside = findRejection(FORM_CHECKS, attempt);
  if (!form) throw outside ?? NotFound();
  const counted = outside ? attempt : { ...attempt, hits: await countHit(context.write, form) };
  const rejection = outside ?? findRejection(CONTENT_CHECKS, counted);
  return { form, attempt: counted, refusal: rejection, language: languageOf(form, query.lang) };
}

/**
 * Computes the fingerprint of a form from its content. A repeated form has the same fingerprint, regardless of its form
 * token.
 */
function fingerprint(keys: Keys, { form_token: _, ...body }: Submission): string {
  const fields = Object.entries(body.fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const { token, submission_id, consent, page_url, referrer, utm } = body;
  const parts = [token, submission_id, fields, consent?.accepted, consent?.version, page_url, referrer];
  const campaign = [utm?.source, utm?.medium, utm?.campaign, utm?.term, utm?.content];
  return createHmac('sha256', derivedSecret(keys.private_key, 'lead forms that were sent'))
    .update(JSON.stringify([...parts, ...campaign].map((part) => part ?? null)))
    .digest('hex');
}

/** Part of the command context that is available for a visitor. */
interface SubmissionContext {
  db: Db;
  emit: Emit;
  keys: Keys;
  body: Submission;
  request: RequestMetadata;
}

/** Locks the form, and checks that it has not changed since it was read. @throws NotFound */
async function lockForm(db: Db, { id, form_version }: Form): Promise<Fault | undefined> {
  const [now] = await db.rows<{ status: string; form_version: number }>(sql`
    SELECT status, form_version FROM widgets WHERE id = ${id}::uuid FOR SHARE`);
  if (now?.status !== 'active') throw NotFound();
  return now.form_version === form_version ? undefined : FormChanged();
}

interface StoredSubmission {
  body_hash: string;
  message: string;
  redirect_url: string | null;
}

/**
 * Stores a form that is accepted for the first time. @returns the stored response of an earlier submission, after
 * waiting for a concurrent one
 */
async function storeSubmission(
  db: Db,
  form: Form,
  { body, keys }: SubmissionContext,
  thanks: SubmissionReceipt,
): Promise<StoredSubmission | undefined> {
  const { submission_id, message, redirect_url } = thanks;
  const made = await db.rows(sql`
    INSERT INTO widget_submissions (widget_id, submission_id, body_hash, message, redirect_url, at)
    VALUES (${form.id}::uuid, ${submission_id}::uuid, ${fingerprint(keys, body)}, ${message}, ${redirect_url}, ${clock.now()}::timestamptz)
    ON CONFLICT DO NOTHING RETURNING submission_id`);
  if (made.length > 0) return undefined;
  const [known] = await db.rows<StoredSubmission>(sql`
    SELECT body_hash, message, redirect_url FROM widget_submissions
    WHERE widget_id = ${form.id}::uuid AND submission_id = ${submission_id}::uuid`);
  return known;
}

/** Records the visitor's consent in the displayed wording. */
async function recordConsent(
  { db, body, request }: SubmissionContext,
  { form, language }: PreparedSubmission,
  lead_id: string,
  at: Date,
): Promise<void> {
  if (!body.consent?.accepted) return;
  await db.leadConsent.createMany({
    data: [
      {
        lead_id,
        widget_id: form.id,
        submission_id: body.submission_id,
        text: consentText(form, language),
        form_version: form.form_version,
        at,
        ip: request.address,
        user_agent: request.user_agent,
      },
    ],
  });
}

/**
 * Creates a lead from a form, or adds the form to a lead, and notifies the owner. @returns true if the form was added
 * to an existing lead
 */
async function applySubmission(context: SubmissionContext, prepared: PreparedSubmission): Promise<boolean> {
  const { db, emit, body, request } = context;
  const { form, attempt, language } = prepared;
  const at = clock.now();
  const values = valuesOf(attempt);
  if (values instanceof Fault) throw values;
  const text = consentText(form, language);
  const consent = body.consent?.accepted ? JSON.stringify({ text, at: at.toISOString(), ip: request.address }) : null;
  const attribution = attributionOf(body);
  const note = noteOf(form, values, attribution);
  const visitor = callerOnBehalfOf(form.owner_id, form.workspace_id);
  const visit = { values, note, consent, attribution: JSON.stringify(attribution) };
  const { lead_id, merged } = await captureLead({ db, emit, caller: visitor }, form, visit);
  await recordConsent(context, prepared, lead_id, at);
  await db.widgetMail.createMany({ data: [{ lead_id, form: form.name, text: note, merged }] });
  runAfterCommit(DELIVER_WIDGET_MAIL);
  return merged;
}

/**
 * Receives a form. The response is the same for every outcome.
 * @returns a rejection, which is counted, or the response and whether it is a repeated one
 */
export async function receiveSubmission(
  context: SubmissionContext,
  prepared: PreparedSubmission,
): Promise<Fault | { repeated: boolean; record: SubmissionReceipt }> {
  const { db, body } = context;
  const { form, language } = prepared;
  await enterWorkspace(form.workspace_id, null);
  const changed = await lockForm(db, form);
  const rejection = prepared.refusal ?? changed;
  const reject = async (fault: Fault) => {
    await countOutcome(db, form.id, 'refused');
    return fault;
  };
  if (rejection) return await reject(rejection);
  const { thanks: message } = form.texts[language]!;
  const record = { submission_id: body.submission_id, message, redirect_url: form.redirect_url };
  if (body[honeypotOf(form)]) {
    await countOutcome(db, form.id, 'spam');
    return { repeated: false, record };
  }
  const known = await storeSubmission(db, form, context, record);
  if (known && known.body_hash !== fingerprint(context.keys, body)) return await reject(SubmissionIdReused());
  if (known) return { repeated: true, record: { ...record, message: known.message, redirect_url: known.redirect_url } };
  const merged = await applySubmission(context, prepared);
  await countOutcome(db, form.id, 'submitted', ...(merged ? (['merged'] as const) : []));
  return { repeated: false, record };
}
