/**
 * Billing: approved time is claimed, finance creates a draft, and the time is invoiced. If a step fails, all time is
 * released.
 */
import { randomUUIDv7 } from 'node:crypto';
import { find, type Sql, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { today } from '@suite/chassis/runtime';
import { exchangeRateOf } from '@suite/document-lines';
import type { Attempt } from '@suite/saga';
import { enterProject } from '../../work/access/access.ts';
import { recordActivities } from '../../work/activities/activity.ts';
import { requestCustomer } from '../../work/clients/customer.ts';
import type { CommandContext, Db, Rpc, Write } from '../../operations.ts';
import { timeSettings } from '../../time/time-settings/time-settings.ts';
import { timeStates } from '../../time/time/time-entry.rules.ts';
import {
  type BillableEntry,
  type BilledLine,
  type BillingTerms,
  linesOf,
  NothingToBill,
  runStates,
  billedTotal,
} from './billing.rules.ts';
import type { Billing, BillingInput } from './billing.schema.ts';
import { requestTaxes, type BilledProject, buildDraft } from './billed-draft.ts';
import { BillingPending, requestDraft } from './draft-request.ts';

interface PrepareContext {
  caller: Caller;
  rpc: Rpc;
  write: Write;
}

/** Claimed time, with its invoice lines. */
interface ClaimedTime {
  project: BilledProject;
  lines: BilledLine[];
  /** Billing run. Null in a dry run, which claims no time. */
  run: { id: string; attempt: Attempt<{ billing_run_id: string }> } | null;
}

/** Claimed time with its draft invoice in finance. */
interface InvoicedTime extends ClaimedTime {
  sales_invoice_id: string | null;
  exchange_rate: Billing['exchange_rate'];
}

/** Returns the SQL condition for approved time in the requested span and entries. */
const approvedTimeCondition = ({ id, currency }: BilledProject, { from, to, entry_ids }: BillingInput): Sql => sql`
  project_id = ${id}::uuid AND currency = ${currency} AND status = 'approved' AND billable AND rounded_seconds > 0
  AND (${from ?? null}::date IS NULL OR local_date >= ${from ?? null}::date)
  AND (${to ?? null}::date IS NULL OR local_date <= ${to ?? null}::date)
  AND (${entry_ids ?? null}::uuid[] IS NULL OR id = ANY(${entry_ids ?? null}::uuid[]))`;

/** Returns the SQL condition for approved time that no run has claimed. */
const billableTimeCondition = (project: BilledProject, input: BillingInput): Sql =>
  sql`billing_run_id IS NULL AND ${approvedTimeCondition(project, input)}`;

/**
 * Checks that there is time to bill. @throws BillingPending if a run in progress has claimed all time (as after a
 * crash) or just released it; else NothingToBill
 */
async function assertFound(
  db: Db,
  entries: readonly unknown[],
  project: BilledProject,
  input: BillingInput,
): Promise<void> {
  if (entries.length > 0) return;
  const [found] = await db.rows(sql`SELECT FROM time_entries WHERE ${approvedTimeCondition(project, input)} LIMIT 1`);
  throw found ? BillingPending() : NothingToBill();
}

/** Checks that all entries belong to the project. @throws a 422 if not */
async function assertOfProject(db: Db, project_id: string, entry_ids: readonly string[]): Promise<void> {
  const ids = [...new Set(entry_ids)];
  const found = await db.timeEntry.count({ where: { project_id, id: { in: ids } } });
  if (found < ids.length) throw invalid('entry_ids', 'Time entries of this project not found.');
}

/** Returns the project to bill, and its customer. @throws NotFound, WrongProjectRole, a 422 if there is no customer */
async function projectToBill(
  context: { db: Db; caller: Caller },
  id: string,
  input: BillingInput,
): Promise<BilledProject> {
  const { name, currency } = await enterProject(context, id, 'manager');
  const [row] = await context.db.rows<{ customer_id: string | null }>(sql`
    SELECT customer_id FROM projects WHERE id = ${id}::uuid`);
  if (input.entry_ids) await assertOfProject(context.db, id, input.entry_ids);
  const customer_id = input.customer_id ?? row!.customer_id;
  if (!customer_id) throw invalid('customer_id', 'Select a customer: this project has none.');
  return { id, name, currency, customer_id };
}

/** Reads entries with the names for the line labels. */
const readEntries = (db: Db, condition: Sql): Promise<BillableEntry[]> =>
  db.rows<BillableEntry>(sql`
    SELECT entries.id, entries.user_id, users.name AS user_name, entries.task_id, entries.description,
      entries.local_date::text AS local_date, entries.rounded_seconds, entries.hourly_rate,
      projects.code || '-' || work_items.number || ' ' || work_items.title AS task
    FROM (SELECT * FROM time_entries WHERE ${condition}) AS entries
      JOIN users ON users.id = entries.user_id JOIN projects ON projects.id = entries.project_id
      LEFT JOIN work_items ON work_items.id = entries.task_id
    ORDER BY entries.started_at, entries.id`);

async function termsOf(db: Db, { name, currency }: BilledProject, { group_by }: BillingInput): Promise<BillingTerms> {
  const { invoice_member_names: names } = await timeSettings(db);
  return { project: name, by: group_by, currency, names };
}

/**
 * Claims time in one conditional statement, so that each entry is in only one of two concurrent runs.
 * @throws NothingToBill, BillingPending
 */
async function claimTime(db: Db, caller: Caller, project: BilledProject, input: BillingInput): Promise<ClaimedTime> {
  const { id: project_id, currency, customer_id } = project;
  const id = randomUUIDv7();
  await db.billingRun.create({ data: { id, project_id, customer_id, currency, lines: [], seconds: 0, net: 0 } });
  await db.rows(
    sql`UPDATE time_entries SET billing_run_id = ${id}::uuid WHERE ${billableTimeCondition(project, input)}`,
  );
  const entries = await readEntries(db, sql`billing_run_id = ${id}::uuid`);
  await assertFound(db, entries, project, input);
  const lines = linesOf(entries, await termsOf(db, project, input));
  const { seconds, net } = billedTotal(lines, currency);
  await db.billingRun.updateMany({ where: { id }, data: { lines: JSON.parse(JSON.stringify(lines)), seconds, net } });
  const attempt = await requestDraft.begin(db, { caller }, { billing_run_id: id });
  return { project, lines, run: { id, attempt } };
}

/** Returns the time that could be claimed. @throws NothingToBill, BillingPending */
async function previewBilling(db: Db, project: BilledProject, input: BillingInput): Promise<ClaimedTime> {
  const entries = await readEntries(db, billableTimeCondition(project, input));
  await assertFound(db, entries, project, input);
  const lines = linesOf(entries, await termsOf(db, project, input));
  return { project, lines, run: null };
}

/**
 * Claims time and has finance create a draft, before the transaction. A rejected request releases the time immediately.
 * After a lost response, the schedule releases the time.
 */
export async function prepareBilling(
  { caller, rpc, write }: PrepareContext,
  project_id: string,
  input: BillingInput,
  dry_run: boolean,
): Promise<InvoicedTime> {
  const [taxes] = await Promise.all([requestTaxes(rpc, input.taxes), requestCustomer(rpc, input.customer_id)]);
  if (dry_run) {
    const rehearsed = await write(async (db) =>
      previewBilling(db, await projectToBill({ db, caller }, project_id, input), input),
    );
    // In a dry run, finance rejects the same drafts.
    const draftRequest = buildDraft(rehearsed, {
      id: randomUUIDv7(),
      taxes,
      asked: input,
      day: today(caller.timezone),
    });
    const proposed = await rpc.finance.createDraftInvoice({
      ...draftRequest,
      idempotency_key: randomUUIDv7(),
      dry_run: true,
    });
    return Object.assign(rehearsed, { sales_invoice_id: null, exchange_rate: exchangeRateOf(proposed, caller) });
  }
  const claimed = await write(async (db) =>
    claimTime(db, caller, await projectToBill({ db, caller }, project_id, input), input),
  );
  const { id, attempt } = claimed.run!;
  const draftRequest = buildDraft(claimed, { id, taxes, asked: input, day: today(caller.timezone) });
  const draft = await requestDraft.ask({ rpc, write }, attempt, draftRequest);
  const { sales_invoice_id } = draft;
  return Object.assign(claimed, { sales_invoice_id, exchange_rate: exchangeRateOf(draft, caller) });
}

/** Converts a bill for the response. */
const billingToJson = ({ project, lines, run, sales_invoice_id, exchange_rate }: InvoicedTime): Billing => ({
  billing_run_id: run?.id ?? null,
  sales_invoice_id,
  currency: project.currency,
  exchange_rate,
  lines: lines.map(({ entries, rate, ...line }) => ({ ...line, rate, unit_price: rate, entry_count: entries.length })),
  ...billedTotal(lines, project.currency),
});

/** Locks a run for a status change. */
async function lockRun(db: Db, id: string) {
  const [run] = await db.rows<{ id: string; status: string; project_id: string; lines: BilledLine[] }>(sql`
    SELECT id, status, project_id, lines FROM billing_runs WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  return run;
}

/** Marks the claimed time of a locked run as invoiced, in one statement. */
async function markInvoiced(
  db: Db,
  { id, lines }: { id: string; lines: readonly BilledLine[] },
  sales_invoice_id: string,
  project: { id: string; name: string },
): Promise<void> {
  await runStates.move(db.billingRun, id, 'invoice', { sales_invoice_id });
  const shares = JSON.stringify(lines.flatMap(({ entries }) => entries));
  const { set, guard } = timeStates.moving('invoice', 'time_entries');
  await db.rows(sql`
    UPDATE time_entries SET ${set}, invoice_id = ${sales_invoice_id}::uuid, invoiced_amount = share.amount
    FROM jsonb_to_recordset(${shares}::jsonb) AS share (id uuid, amount numeric)
    WHERE time_entries.id = share.id AND time_entries.billing_run_id = ${id}::uuid AND ${guard}`);
  const object = { type: 'project' as const, id: project.id, label: project.name };
  await recordActivities(db, [{ project_id: project.id, verb: 'invoiced', object }]);
}

/** Marks the claimed time as invoiced. @throws BillingPending if it was released concurrently */
export async function completeBilling({ db }: Pick<CommandContext, 'db'>, billed: InvoicedTime): Promise<Billing> {
  const { project, lines, run, sales_invoice_id } = billed;
  if (!run) return billingToJson(billed);
  const locked = await lockRun(db, run.id);
  // The draft has been posted already, and its event arrived first.
  if (locked?.status === 'invoiced') return billingToJson(billed);
  await requestDraft.complete(db, run.attempt);
  await markInvoiced(db, { id: run.id, lines }, sales_invoice_id!, project);
  return billingToJson(billed);
}

/**
 * Completes a run whose draft was posted before its request was settled: the response was lost, and the sweeper has not
 * run yet.
 * @throws BillingPending while the request is being undone; the event is then retried
 */
export async function completePosted(db: Db, run_id: string, sales_invoice_id: string): Promise<void> {
  const run = await lockRun(db, run_id);
  if (run?.status !== 'claimed') return;
  const { attempt: number } = await db.billingAttempt.findFirstOrThrow({
    where: { billing_run_id: run_id },
    orderBy: { attempt: 'desc' },
  });
  await requestDraft.complete(db, { columns: { billing_run_id: run_id }, number });
  const { id, name } = await find(db.project, run.project_id);
  await markInvoiced(db, run, sales_invoice_id, { id, name });
}

/**
 * Releases the time of a run because its invoice was deleted or cancelled. A concurrent completion of the run does not
 * use the deleted draft.
 */
export async function releaseRun(db: Db, run_id: string): Promise<void> {
  const run = await lockRun(db, run_id);
  if (run?.status === 'claimed') await requestDraft.undoLater(db, run_id);
  if (run?.status !== 'invoiced') return;
  await runStates.move(db.billingRun, run_id, 'release');
  const { set, guard } = timeStates.moving('release');
  await db.rows(sql`
    UPDATE time_entries SET ${set}, billing_run_id = NULL, invoice_id = NULL, invoiced_amount = NULL
    WHERE billing_run_id = ${run_id}::uuid AND ${guard}`);
}
