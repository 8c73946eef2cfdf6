/**
 * Debts of payslips. Final payslips create recoveries for amounts they could not deduct, and deduct recoveries and
 * loans. A reversal undoes this.
 */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { compare, isZero, subtract, sum } from '@suite/money';
import { openEncryption, type FieldCipher } from '@suite/field-encryption';
import { applyInstalments } from '../employee-loans/loan.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { decryptPart, type PayslipAmounts, type PayslipLines } from '../payslips/payslip-encryption.ts';
import { recoveryStates } from './recovery.rules.ts';
import { freeLeave, settleLeave } from './settled-leave.ts';

/** Payslip with its encrypted parts. */
export interface EncryptedPayslip {
  id: string;
  employee_id: string;
  lines_sealed: string | null;
  figures_sealed: string | null;
}

/** Amount that an employee has to repay because of a payslip. */
interface EmployeeDebt {
  employee_id: string;
  entry_id: string;
  /** Code of the component that was not deducted. Null for an overpayment. */
  code: string | null;
  amount: string;
}

const recoveryCipherLocation = (id: string, column: string) => ({ table: 'recoveries', column, id });

/** Writes recoveries. */
export async function addRecoveries(db: Db, cipher: FieldCipher, debts: readonly EmployeeDebt[]): Promise<void> {
  if (debts.length === 0) return;
  const codes = debts.flatMap(({ code }) => code ?? []);
  const components = await db.rows<{ id: string; code: string }>(sql`
    SELECT id, code FROM salary_components WHERE code = ANY(${codes}::text[])`);
  const byCode = new Map(components.map(({ id, code }) => [code, id]));
  await db.recovery.createMany({
    data: debts.map(({ employee_id, entry_id, code, amount }) => {
      const id = randomUUIDv7();
      const encryptAmount = (column: string) => cipher.seal(recoveryCipherLocation(id, column), amount);
      const columns = { id, employee_id, entry_id, component_id: (code && byCode.get(code)) ?? null };
      return { ...columns, amount_sealed: encryptAmount('amount_sealed'), left_sealed: encryptAmount('left_sealed') };
    }),
  });
}

type RecoveryContext = Pick<CommandContext, 'db' | 'keys'>;

/** Returns the amounts that payslips deducted for each recovery or loan. */
function deductedAmounts(
  lines: readonly PayslipLines[],
  code: 'recovery' | 'loan',
  currency: string,
): Map<string, string> {
  const deducted = lines.flatMap(({ deductions }) => deductions.filter((line) => line.code === code && line.of));
  const groups = Map.groupBy(deducted, ({ of }) => of!);
  return new Map(
    [...groups].map(([id, all]) => [
      id,
      sum(
        all.map(({ amount }) => amount),
        currency,
      ),
    ]),
  );
}

/**
 * Reduces the outstanding amounts of recoveries by deductions. Negative deductions are refunds.
 * @throws RangeError if a deduction exceeds the outstanding amount
 */
async function changeLeft(db: Db, cipher: FieldCipher, deducted: Map<string, string>, currency: string): Promise<void> {
  if (deducted.size === 0) return;
  const rows = await db.rows<{ id: string; left_sealed: string }>(sql`
    SELECT id, left_sealed FROM recoveries WHERE id = ANY(${[...deducted.keys()]}::uuid[]) ORDER BY id FOR NO KEY UPDATE`);
  const changed = rows.map(({ id, left_sealed }) => {
    const place = recoveryCipherLocation(id, 'left_sealed');
    const now = subtract(cipher.open(place, left_sealed), deducted.get(id)!, currency);
    if (compare(now, '0') < 0) throw new RangeError('The deduction exceeds the outstanding recovery.');
    return { id, left_sealed: cipher.seal(place, now), open: !isZero(now) };
  });
  const all = sql`jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) AS changed (id uuid, left_sealed text, open boolean)`;
  await db.rows(
    sql`UPDATE recoveries AS owed SET left_sealed = changed.left_sealed FROM ${all} WHERE owed.id = changed.id`,
  );
  const { set, guard } = recoveryStates.deriving(sql`CASE WHEN changed.open THEN 'open' ELSE 'settled' END`, 'owed');
  await db.rows(sql`UPDATE recoveries AS owed SET ${set} FROM ${all} WHERE owed.id = changed.id AND ${guard}`);
}

/**
 * Applies the deductions of payslips to recoveries and loans, or refunds them. @throws RangeError if a deduction
 * exceeds the outstanding amount
 */
async function applyDeductions(
  { db, keys }: RecoveryContext,
  cipher: FieldCipher,
  { lines, currency, back }: { lines: readonly PayslipLines[]; currency: string; back: boolean },
): Promise<void> {
  const signAmounts = (deducted: Map<string, string>) =>
    [...deducted].map(([id, amount]) => [id, back ? subtract('0', amount, currency) : amount] as const);
  await changeLeft(db, cipher, new Map(signAmounts(deductedAmounts(lines, 'recovery', currency))), currency);
  const instalments = signAmounts(deductedAmounts(lines, 'loan', currency)).map(([loan_id, amount]) => ({
    loan_id,
    amount,
  }));
  await applyInstalments(db, { keys }, instalments);
}

/** Decrypts the amounts that payslips left over and deducted. */
const decryptPayslips = (cipher: Pick<FieldCipher, 'open'>, payslips: readonly EncryptedPayslip[]) =>
  payslips.map((payslip) => ({
    payslip,
    lines: decryptPart(cipher, payslip, 'lines') as PayslipLines,
    figures: decryptPart(cipher, payslip, 'figures') as PayslipAmounts,
  }));

/**
 * Settles the debts of payslips that become final: creates recoveries, reduces deducted ones, and settles leave.
 * @throws RangeError if a deduction exceeds the outstanding amount, or another payslip has settled the leave
 */
export async function settleDebts(
  context: RecoveryContext,
  payslips: readonly EncryptedPayslip[],
  currency: string,
): Promise<void> {
  const { db, keys } = context;
  const cipher = await openEncryption(db, keys.master);
  const all = decryptPayslips(cipher, payslips);
  const debts = all.flatMap(({ payslip, figures: amounts }) =>
    amounts.left_over.map(({ code, amount }) => ({
      employee_id: payslip.employee_id,
      entry_id: payslip.id,
      code,
      amount,
    })),
  );
  await addRecoveries(db, cipher, debts);
  await settleLeave(db, all);
  await applyDeductions(context, cipher, { lines: all.map(({ lines }) => lines), currency, back: false });
}

/** Reverses the debts of final payslips: deletes their recoveries, refunds their deductions and reopens leave. */
export async function reopenDebts(
  context: RecoveryContext,
  payslips: readonly EncryptedPayslip[],
  currency: string,
): Promise<void> {
  const { db, keys } = context;
  await freeLeave(db, payslips);
  await db.recovery.deleteMany({ where: { entry_id: { in: payslips.map(({ id }) => id) } } });
  const cipher = await openEncryption(db, keys.master);
  await applyDeductions(context, cipher, {
    lines: decryptPayslips(cipher, payslips).map(({ lines }) => lines),
    currency,
    back: true,
  });
}
