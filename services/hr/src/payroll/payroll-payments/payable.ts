/** Payable payslips of a run. */
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import { isZero, sum } from '@suite/money';
import type { FieldCipher } from '@suite/field-encryption';
import type { Db } from '../../operations.ts';
import { decryptPart } from '../payslips/payslip-encryption.ts';
import { AlreadyPaid, PayslipWithheld } from './payment.rules.ts';

/** Final payslip that is not paid yet. */
export interface PayablePayslip {
  id: string;
  employee_id: string;
  number: string;
  net: string;
}

interface Row extends Omit<PayablePayslip, 'net'> {
  status: string;
  figures_sealed: string;
}

/**
 * Rejects IDs of payslips that cannot be paid.
 * @returns true if all of them are already paid
 * @throws a 422 fault for a payslip of another run, PayslipWithheld, AlreadyPaid
 */
function assertPayable(rows: readonly Row[], ids: readonly string[]): boolean {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const foreign = ids.findIndex((id) => !byId.has(id));
  if (foreign >= 0) throw invalid(`payroll_entry_ids.${foreign}`, 'Payslip not found in this run.');
  const withheld = rows.filter(({ status }) => status === 'withheld');
  if (withheld.length > 0) throw PayslipWithheld({ payroll_entry_ids: withheld.map(({ id }) => id) });
  const paid = rows.filter(({ status }) => status === 'paid');
  if (paid.length > 0 && paid.length < rows.length) throw AlreadyPaid({ payroll_entry_ids: paid.map(({ id }) => id) });
  return paid.length > 0;
}

/**
 * Returns the payslips of a run to be paid, including those with zero net pay: all, or the named ones.
 * @throws a 422 for a payslip of another run, PayslipWithheld, AlreadyPaid
 */
export async function payablePayslips(
  db: Db,
  cipher: Pick<FieldCipher, 'open'>,
  payroll_id: string,
  ids?: readonly string[],
): Promise<PayablePayslip[]> {
  const chosen = ids ? sql`id = ANY(${ids}::uuid[])` : sql`status = 'finalised'`;
  const rows = await db.rows<Row>(sql`
    SELECT id, employee_id, number, status, figures_sealed FROM payroll_entries
    WHERE payroll_id = ${payroll_id}::uuid AND ${chosen} ORDER BY number`);
  if (ids && assertPayable(rows, ids)) return [];
  return rows.map(({ status: _, figures_sealed, ...payslip }) => ({
    ...payslip,
    net: decryptPart(cipher, { id: payslip.id, figures_sealed }, 'figures')!.net,
  }));
}

/** Updates whether a paid run has an unpaid payslip: a withheld payslip that was released. The run must be locked. */
export const updateSettledFlag = (db: Db, payroll_id: string): Promise<unknown> =>
  db.rows(sql`
    UPDATE payrolls AS run SET settled_at = CASE WHEN NOT EXISTS (
      SELECT FROM payroll_entries AS slip WHERE slip.payroll_id = run.id AND slip.status = 'finalised') THEN ${clock.now()}::timestamptz END
    WHERE run.id = ${payroll_id}::uuid AND run.status = 'paid'`);

export const isZeroPayment = ({ net }: PayablePayslip): boolean => isZero(net);
export const payableTotal = (payslips: readonly PayablePayslip[], currency: string): string =>
  sum(
    payslips.map(({ net }) => net),
    currency,
  );
