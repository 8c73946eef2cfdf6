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
import { addTotals, decryptTotals, encryptTotals } from '../payslips/payroll-totals.ts';
import { payrollStates } from '../payrolls/payroll.rules.ts';
import { type PayslipParts, encryptPayslip } from '../payslips/payslip-encryption.ts';
import { payslipStates } from '../payslips/payslip.rules.ts';
import { readArrearsMarks } from './arrears-marks.ts';
import { readMarks } from './facts-marks.ts';
import { type BatchInputs, type CalculatedRun, readBatch } from './inputs.ts';
import { type PayslipFailure, type PayslipOutcome, outcomeOf } from './payslip-outcome.ts';

/** Number of employees in one transaction. */
export const PAYSLIPS_PER_BATCH = 200;

/** Transaction context of a batch. */
interface BatchContext {
  db: Db;
  emit: Emit;
  keys: Pick<Keys, 'master'>;
}

interface RunProgress extends CalculatedRun {
  employee_count: number;
  done: number;
  failed: number;
  gross: string;
  deductions: string;
  employer_cost: string;
  net: string;
  totals_sealed: string | null;
}

interface PendingPayslip {
  id: string;
  employee_id: string;
}

/** Locks a run that is being calculated. @returns undefined if it is not, such as after its cancellation */
async function lockRunning(db: Db, id: string): Promise<RunProgress | undefined> {
  const [run] = await db.rows<RunProgress>(sql`
    SELECT id, type, frequency, period_start, period_end, pay_date, currency, settings, employee_count, done, failed, gross, deductions,
      employer_cost, net, totals_sealed FROM payrolls WHERE id = ${id}::uuid AND status = 'processing' FOR NO KEY UPDATE`);
  return run;
}

const pendingPayslipsOf = (db: Db, payroll_id: string): Promise<PendingPayslip[]> =>
  db.rows<PendingPayslip>(sql`
    SELECT id, employee_id FROM payroll_entries WHERE payroll_id = ${payroll_id}::uuid AND calculated_at IS NULL
    ORDER BY employee_id LIMIT ${PAYSLIPS_PER_BATCH + 1}`);

/** Calculates payslips one after the other. Other requests are processed in between. */
async function outcomesOf(batch: BatchInputs, cipher: FieldCipher, people: readonly PendingPayslip[]) {
  const outcomes: { id: string; outcome: PayslipOutcome }[] = [];
  for (const { id, employee_id } of people) {
    outcomes.push({ id, outcome: outcomeOf(batch, cipher, employee_id) });
    await nextTurn();
  }
  return outcomes;
}

type CalculatedPayslip = {
  id: string;
  parts: PayslipParts;
  inputs_hash: string;
  facts_mark: string;
  arrears_mark: string | null;
};
type FailedPayslip = { id: string } & PayslipFailure;

async function storePayslips(db: Db, cipher: FieldCipher, payslips: readonly CalculatedPayslip[]): Promise<void> {
  const rows = payslips.map(({ parts, ...payslip }) => ({ ...payslip, ...encryptPayslip(cipher, payslip.id, parts) }));
  const column = (name: keyof (typeof rows)[number]) => rows.map((row) => row[name]);
  await db.rows(sql`
    UPDATE payroll_entries AS slip SET calculated_at = ${clock.now()}, inputs_hash = result.inputs_hash, facts_mark = result.facts_mark, arrears_mark = result.arrears_mark,
      figures_sealed = result.figures_sealed, lines_sealed = result.lines_sealed, ytd_sealed = result.ytd_sealed, bank_sealed = result.bank_sealed
    FROM unnest(${column('id')}::uuid[], ${column('inputs_hash')}::text[], ${column('facts_mark')}::text[], ${column('arrears_mark')}::text[],
      ${column('figures_sealed')}::text[],
      ${column('lines_sealed')}::text[], ${column('ytd_sealed')}::text[], ${column('bank_sealed')}::text[])
      AS result (id, inputs_hash, facts_mark, arrears_mark, figures_sealed, lines_sealed, ytd_sealed, bank_sealed)
    WHERE slip.id = result.id`);
  await db.rows(sql`
    INSERT INTO payslip_workings (id, inputs_sealed, explain_sealed)
    SELECT * FROM unnest(${column('id')}::uuid[], ${column('inputs_sealed')}::text[], ${column('explain_sealed')}::text[])
    ON CONFLICT (id) DO UPDATE SET inputs_sealed = EXCLUDED.inputs_sealed, explain_sealed = EXCLUDED.explain_sealed`);
}

async function storeFailures(db: Db, failures: readonly FailedPayslip[]): Promise<void> {
  const { set, guard } = payslipStates.moving('fail', 'slip');
  await db.rows(sql`
    UPDATE payroll_entries AS slip SET ${set}, calculated_at = ${clock.now()}, failure_code = result.code, failure_message = result.message,
      inputs_hash = NULL, facts_mark = NULL, arrears_mark = NULL, figures_sealed = NULL, lines_sealed = NULL, ytd_sealed = NULL, bank_sealed = NULL
    FROM jsonb_to_recordset(${JSON.stringify(failures)}::jsonb) AS result (id uuid, code text, message text)
    WHERE slip.id = result.id AND ${guard}`);
  await db.rows(sql`DELETE FROM payslip_workings WHERE id = ANY (${failures.map(({ id }) => id)}::uuid[])`);
}

/** Returns the payslips of a batch with the marks of their input data, and the employees without a payslip. */
async function calculatePayslips(db: Db, cipher: FieldCipher, run: RunProgress, people: readonly PendingPayslip[]) {
  const ids = people.map(({ employee_id }) => employee_id);
  const marks = await readMarks(db, run, ids);
  // An off-cycle run does not compare earlier payslips.
  const looking = run.type === 'regular' ? await readArrearsMarks(db, run, people) : new Map<string, string>();
  const batch = await readBatch(db, cipher, run, ids);
  const persons = new Map(people.map(({ id, employee_id }) => [id, employee_id]));
  const outcomes = await outcomesOf(batch, cipher, people);
  const payslips = outcomes.flatMap(({ id, outcome }): CalculatedPayslip[] => {
    if (!outcome.parts) return [];
    const { parts, inputs_hash } = outcome;
    const arrears_mark = looking.get(id) ?? null;
    return [{ id, parts, inputs_hash, facts_mark: marks.get(persons.get(id)!)!, arrears_mark }];
  });
  const failures = outcomes.flatMap(({ id, outcome }): FailedPayslip[] =>
    outcome.failure ? [{ id, ...outcome.failure }] : [],
  );
  return { batch, payslips, failures };
}

/** Adds the results of a batch to the run, so that its totals always match its payslips. */
async function addToHeader(
  db: Db,
  { run, batch, cipher }: { run: RunProgress; batch: BatchInputs; cipher: FieldCipher },
  payslips: readonly CalculatedPayslip[],
): Promise<void> {
  const { currency } = run;
  const payslipAmounts = payslips.map(({ parts }) => parts.figures);
  const add = (before: string, amounts: string[]) => sum([...amounts, before], currency);
  const components = new Map(
    batch.components
      .on(run.period_end)
      .map(({ component: { code, name }, account_id }) => [code, { name, account_id }] as const),
  );
  const totals = addTotals(
    decryptTotals(cipher, run),
    payslips.map(({ parts }) => parts),
    { components, currency },
  );
  await db.rows(sql`
    UPDATE payrolls SET totals_sealed = ${encryptTotals(cipher, run.id, totals)},
      gross = ${add(
        run.gross,
        payslipAmounts.map(({ gross }) => gross),
      )}::numeric,
      deductions = ${add(
        run.deductions,
        payslipAmounts.map(({ total_deductions }) => total_deductions),
      )}::numeric,
      employer_cost = ${add(
        run.employer_cost,
        payslipAmounts.map(({ employer_cost }) => employer_cost),
      )}::numeric,
      net = ${add(
        run.net,
        payslipAmounts.map(({ net }) => net),
      )}::numeric
    WHERE id = ${run.id}::uuid`);
}

async function finish({ db, emit }: BatchContext, run: RunProgress, failed: number): Promise<void> {
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
export async function calculateBatch(context: BatchContext, payroll_id: string): Promise<boolean> {
  const { db, keys } = context;
  const run = await lockRunning(db, payroll_id);
  if (!run) return false;
  const waiting = await pendingPayslipsOf(db, payroll_id);
  const people = waiting.slice(0, PAYSLIPS_PER_BATCH);
  let failures: FailedPayslip[] = [];
  if (people.length > 0) {
    const cipher = await openEncryption(db, keys.master);
    const { batch, payslips, ...rest } = await calculatePayslips(db, cipher, run, people);
    failures = rest.failures;
    await storePayslips(db, cipher, payslips);
    await storeFailures(db, failures);
    await addToHeader(db, { run, batch, cipher }, payslips);
    await db.rows(sql`
      UPDATE payrolls SET done = done + ${payslips.length}, failed = failed + ${failures.length} WHERE id = ${payroll_id}::uuid`);
  }
  if (waiting.length > PAYSLIPS_PER_BATCH) return true;
  await finish(context, run, run.failed + failures.length);
  return false;
}
