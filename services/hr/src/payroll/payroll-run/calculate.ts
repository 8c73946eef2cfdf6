/** Calculation of a payroll run in batches of employees by ID, one transaction each, until no payslip is pending. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from '@suite/chassis/database';
import type { Keys } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { sum } from '@suite/money';
import { PayrollCalculated } from '@suite/proto/hr/v1/events';
import { openEncryption, type FieldCipher } from '@suite/field-encryption';
import type { Db } from '../../operations.ts';
import { addTotals, openTotals, sealTotals } from '../payslips/payroll-totals.ts';
import { payrollStates } from '../payrolls/payroll.rules.ts';
import { type PayslipParts, sealPayslip } from '../payslips/payslip-seals.ts';
import { payslipStates } from '../payslips/payslip.rules.ts';
import { readArrearsMarks } from './arrears-marks.ts';
import { readMarks } from './facts-marks.ts';
import { type Batch, type CalculatedRun, readBatch } from './inputs.ts';
import { type PayslipFailure, type PayslipOutcome, outcomeOf } from './outcome.ts';

/** Number of employees in one transaction. */
export const PAYSLIPS_PER_BATCH = 200;

/** Transaction context of a batch. */
interface Context {
  db: Db;
  emit: Emit;
  keys: Pick<Keys, 'master'>;
}

interface Running extends CalculatedRun {
  employee_count: number;
  done: number;
  failed: number;
  gross: string;
  deductions: string;
  employer_cost: string;
  net: string;
  totals_sealed: string | null;
}

interface Waiting {
  id: string;
  employee_id: string;
}

/** Locks a run that is being calculated. @returns undefined if it is not, such as after its cancellation */
async function lockRunning(db: Db, id: string): Promise<Running | undefined> {
  const [run] = await db.rows<Running>(sql`
    SELECT id, type, frequency, period_start, period_end, pay_date, currency, settings, employee_count, done, failed, gross, deductions,
      employer_cost, net, totals_sealed FROM payrolls WHERE id = ${id}::uuid AND status = 'processing' FOR NO KEY UPDATE`);
  return run;
}

const waitingOf = (db: Db, payroll_id: string): Promise<Waiting[]> =>
  db.rows<Waiting>(sql`
    SELECT id, employee_id FROM payroll_entries WHERE payroll_id = ${payroll_id}::uuid AND calculated_at IS NULL
    ORDER BY employee_id LIMIT ${PAYSLIPS_PER_BATCH + 1}`);

/** Calculates payslips one after the other. Other requests are processed in between. */
async function outcomesOf(batch: Batch, sealed: FieldCipher, people: readonly Waiting[]) {
  const outcomes: { id: string; outcome: PayslipOutcome }[] = [];
  for (const { id, employee_id } of people) {
    outcomes.push({ id, outcome: outcomeOf(batch, sealed, employee_id) });
    await nextTurn();
  }
  return outcomes;
}

type Slip = { id: string; parts: PayslipParts; inputs_hash: string; facts_mark: string; arrears_mark: string | null };
type Failed = { id: string } & PayslipFailure;

async function writeSlips(db: Db, sealed: FieldCipher, slips: readonly Slip[]): Promise<void> {
  const rows = slips.map(({ parts, ...slip }) => ({ ...slip, ...sealPayslip(sealed, slip.id, parts) }));
  const column = (name: keyof (typeof rows)[number]) => rows.map((row) => row[name]);
  await db.rows(sql`
    UPDATE payroll_entries AS slip SET calculated_at = ${clock.now()}, inputs_hash = told.inputs_hash, facts_mark = told.facts_mark, arrears_mark = told.arrears_mark,
      figures_sealed = told.figures_sealed, lines_sealed = told.lines_sealed, ytd_sealed = told.ytd_sealed, bank_sealed = told.bank_sealed
    FROM unnest(${column('id')}::uuid[], ${column('inputs_hash')}::text[], ${column('facts_mark')}::text[], ${column('arrears_mark')}::text[],
      ${column('figures_sealed')}::text[],
      ${column('lines_sealed')}::text[], ${column('ytd_sealed')}::text[], ${column('bank_sealed')}::text[])
      AS told (id, inputs_hash, facts_mark, arrears_mark, figures_sealed, lines_sealed, ytd_sealed, bank_sealed)
    WHERE slip.id = told.id`);
  await db.rows(sql`
    INSERT INTO payslip_workings (id, inputs_sealed, explain_sealed)
    SELECT * FROM unnest(${column('id')}::uuid[], ${column('inputs_sealed')}::text[], ${column('explain_sealed')}::text[])
    ON CONFLICT (id) DO UPDATE SET inputs_sealed = EXCLUDED.inputs_sealed, explain_sealed = EXCLUDED.explain_sealed`);
}

async function writeFailures(db: Db, failures: readonly Failed[]): Promise<void> {
  const { set, guard } = payslipStates.moving('fail', 'slip');
  await db.rows(sql`
    UPDATE payroll_entries AS slip SET ${set}, calculated_at = ${clock.now()}, failure_code = told.code, failure_message = told.message,
      inputs_hash = NULL, facts_mark = NULL, arrears_mark = NULL, figures_sealed = NULL, lines_sealed = NULL, ytd_sealed = NULL, bank_sealed = NULL
    FROM jsonb_to_recordset(${JSON.stringify(failures)}::jsonb) AS told (id uuid, code text, message text)
    WHERE slip.id = told.id AND ${guard}`);
  await db.rows(sql`DELETE FROM payslip_workings WHERE id = ANY (${failures.map(({ id }) => id)}::uuid[])`);
}

/** Returns the payslips of a batch with the marks of their input data, and the employees without a payslip. */
async function computed(db: Db, sealed: FieldCipher, run: Running, people: readonly Waiting[]) {
  const ids = people.map(({ employee_id }) => employee_id);
  const marks = await readMarks(db, run, ids);
  // An off-cycle run does not compare earlier payslips.
  const looking = run.type === 'regular' ? await readArrearsMarks(db, run, people) : new Map<string, string>();
  const batch = await readBatch(db, sealed, run, ids);
  const persons = new Map(people.map(({ id, employee_id }) => [id, employee_id]));
  const outcomes = await outcomesOf(batch, sealed, people);
  const slips = outcomes.flatMap(({ id, outcome }): Slip[] => {
    if (!outcome.parts) return [];
    const { parts, inputs_hash } = outcome;
    const arrears_mark = looking.get(id) ?? null;
    return [{ id, parts, inputs_hash, facts_mark: marks.get(persons.get(id)!)!, arrears_mark }];
  });
  const failures = outcomes.flatMap(({ id, outcome }): Failed[] =>
    outcome.failure ? [{ id, ...outcome.failure }] : [],
  );
  return { batch, slips, failures };
}

/** Adds the results of a batch to the run, so that its totals always match its payslips. */
async function addToHeader(
  db: Db,
  { run, batch, sealed }: { run: Running; batch: Batch; sealed: FieldCipher },
  slips: readonly Slip[],
): Promise<void> {
  const { currency } = run;
  const figures = slips.map(({ parts }) => parts.figures);
  const add = (before: string, amounts: string[]) => sum([...amounts, before], currency);
  const components = new Map(
    batch.components
      .on(run.period_end)
      .map(({ component: { code, name }, account_id }) => [code, { name, account_id }] as const),
  );
  const totals = addTotals(
    openTotals(sealed, run),
    slips.map(({ parts }) => parts),
    { components, currency },
  );
  await db.rows(sql`
    UPDATE payrolls SET totals_sealed = ${sealTotals(sealed, run.id, totals)},
      gross = ${add(
        run.gross,
        figures.map(({ gross }) => gross),
      )}::numeric,
      deductions = ${add(
        run.deductions,
        figures.map(({ total_deductions }) => total_deductions),
      )}::numeric,
      employer_cost = ${add(
        run.employer_cost,
        figures.map(({ employer_cost }) => employer_cost),
      )}::numeric,
      net = ${add(
        run.net,
        figures.map(({ net }) => net),
      )}::numeric
    WHERE id = ${run.id}::uuid`);
}

async function finish({ db, emit }: Context, run: Running, failed: number): Promise<void> {
  await payrollStates.move(db.payroll, run.id, failed > 0 ? 'fail' : 'complete');
  const { id: payroll_id, employee_count, period_start, period_end } = run;
  const status = failed > 0 ? 'failed' : 'calculated';
  emit(PayrollCalculated, { payroll_id, status, employee_count, failed, period_start, period_end });
}

/**
 * Calculates the next employees of a run. After the last one, the run is calculated, or failed if an employee has no
 * payslip.
 * @returns true if payslips are still pending
 */
export async function calculateBatch(context: Context, payroll_id: string): Promise<boolean> {
  const { db, keys } = context;
  const run = await lockRunning(db, payroll_id);
  if (!run) return false;
  const waiting = await waitingOf(db, payroll_id);
  const people = waiting.slice(0, PAYSLIPS_PER_BATCH);
  let failures: Failed[] = [];
  if (people.length > 0) {
    const sealed = await openEncryption(db, keys.master);
    const { batch, slips, ...rest } = await computed(db, sealed, run, people);
    failures = rest.failures;
    await writeSlips(db, sealed, slips);
    await writeFailures(db, failures);
    await addToHeader(db, { run, batch, sealed }, slips);
    await db.rows(sql`
      UPDATE payrolls SET done = done + ${slips.length}, failed = failed + ${failures.length} WHERE id = ${payroll_id}::uuid`);
  }
  if (waiting.length > PAYSLIPS_PER_BATCH) return true;
  await finish(context, run, run.failed + failures.length);
  return false;
}
