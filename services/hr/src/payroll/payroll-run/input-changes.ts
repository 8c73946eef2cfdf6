/** Employees of a calculated run whose inputs have changed. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Keys } from '@suite/chassis/identity';
import { sql } from '@suite/chassis/database';
import type { PayInput } from '../../employment/pay-computation/facts/input.ts';
import { openEncryption } from '@suite/field-encryption';
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../operations.ts';
import { decryptPart } from '../payslips/payslip-encryption.ts';
import { PAYSLIPS_PER_BATCH } from './calculate.ts';
import { companyMark, markOf } from './facts-marks.ts';
import { type CalculatedRun, readBatch } from './inputs.ts';
import { inputsHash, inputOf } from './payslip-outcome.ts';

/** Employee whose payslip would differ. @property what names of the inputs that differ: `terms`, `days`, `loans` */
export interface InputChange {
  employee_id: string;
  what: string[];
}

const MOST = 100;

/** Returns the names of the inputs that differ. */
function differingInputs(before: PayInput, now: PayInput): string[] {
  const [was, is]: Record<string, unknown>[] = [before, now].map(({ facts, carried }) => ({ ...facts, ...carried }));
  const toText = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;
  return Object.keys(is!).filter((name) => !isDeepStrictEqual(was![name], toText(is![name])));
}

interface PayslipInputs {
  id: string;
  employee_id: string;
  inputs_hash: string;
  inputs_sealed: string;
}

/** Returns the IDs of payslips with changed input rows. */
async function payslipsWithChangedRows(db: Db, run: CalculatedRun): Promise<string[]> {
  const company = await companyMark(db);
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM payroll_entries AS slip
    WHERE payroll_id = ${run.id}::uuid AND inputs_hash IS NOT NULL
      AND facts_mark IS DISTINCT FROM ${company}::text || ' ' || ${markOf(run, sql`slip.employee_id`)}
    ORDER BY employee_id`);
  return rows.map(({ id }) => id);
}

/**
 * Compares the inputs of a run's payslips with current data, by hash and, if this differs, by content.
 * @returns the first 100 employees with differences
 * @throws FormulaFailed if a formula of an earlier payslip no longer has a value
 */
export async function changedInputs(
  { db, keys }: { db: Db; keys: Pick<Keys, 'master'> },
  run: CalculatedRun,
): Promise<InputChange[]> {
  const changes: InputChange[] = [];
  const ids = await payslipsWithChangedRows(db, run);
  if (ids.length === 0) return changes;
  const cipher = await openEncryption(db, keys.master);
  for (let at = 0; at < ids.length && changes.length < MOST; at += PAYSLIPS_PER_BATCH) {
    const rows = await db.rows<PayslipInputs>(sql`
      SELECT id, employee_id, inputs_hash, inputs_sealed FROM payroll_entries JOIN payslip_workings USING (workspace_id, id)
      WHERE id = ANY(${ids.slice(at, at + PAYSLIPS_PER_BATCH)}::uuid[]) ORDER BY employee_id`);
    const batch = await readBatch(
      db,
      cipher,
      run,
      rows.map(({ employee_id }) => employee_id),
    );
    for (const row of rows) {
      const { input } = inputOf(batch, cipher, row.employee_id);
      if (inputsHash(cipher, input) !== row.inputs_hash)
        changes.push({
          employee_id: row.employee_id,
          what: differingInputs(decryptPart(cipher, row, 'inputs')!, input),
        });
      await nextTurn();
    }
  }
  return changes.slice(0, MOST);
}
