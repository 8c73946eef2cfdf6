/**
 * Debts of payslips. Final payslips create recoveries for amounts they could not deduct, and deduct recoveries and
 * loans. A reversal undoes this.
 */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { compare, isZero, subtract, sum } from '@suite/money';
import { openEncryption, type FieldCipher } from '@suite/field-encryption';
import { takeInstalments } from '../employee-loans/loan.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { openPart, type PayslipFigures, type PayslipLines } from '../payslips/payslip-seals.ts';
import { recoveryStates } from './recovery.rules.ts';
import { freeLeave, settleLeave } from './settled-leave.ts';

/** Payslip with its encrypted parts. */
export interface DebtSlip {
  id: string;
  employee_id: string;
  lines_sealed: string | null;
  figures_sealed: string | null;
}

/** Amount that an employee has to repay because of a payslip. */
interface Debt {
  employee_id: string;
  entry_id: string;
  /** Code of the component that was not deducted. Null for an overpayment. */
  code: string | null;
  amount: string;
}

const placeOf = (id: string, column: string) => ({ table: 'recoveries', column, id });

/** Writes recoveries. */
export async function addRecoveries(db: Db, sealed: FieldCipher, debts: readonly Debt[]): Promise<void> {
  if (debts.length === 0) return;
  const codes = debts.flatMap(({ code }) => code ?? []);
  const components = await db.rows<{ id: string; code: string }>(sql`
    SELECT id, code FROM salary_components WHERE code = ANY(${codes}::text[])`);
  const byCode = new Map(components.map(({ id, code }) => [code, id]));
  await db.recovery.createMany({
    data: debts.map(({ employee_id, entry_id, code, amount }) => {
      const id = randomUUIDv7();
      const sealedIn = (column: string) => sealed.seal(placeOf(id, column), amount);
      const columns = { id, employee_id, entry_id, component_id: (code && byCode.get(code)) ?? null };
      return { ...columns, amount_sealed: sealedIn('amount_sealed'), left_sealed: sealedIn('left_sealed') };
    }),
  });
}

type Context = Pick<CommandContext, 'db' | 'keys'>;

/** Returns the amounts that payslips deducted for each recovery or loan. */
function takenOf(lines: readonly PayslipLines[], code: 'recovery' | 'loan', currency: string): Map<string, string> {
  const taken = lines.flatMap(({ deductions }) => deductions.filter((line) => line.code === code && line.of));
  const groups = Map.groupBy(taken, ({ of }) => of!);
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
async function changeLeft(db: Db, sealed: FieldCipher, taken: Map<string, string>, currency: string): Promise<void> {
  if (taken.size === 0) return;
  const rows = await db.rows<{ id: string; left_sealed: string }>(sql`
    SELECT id, left_sealed FROM recoveries WHERE id = ANY(${[...taken.keys()]}::uuid[]) ORDER BY id FOR NO KEY UPDATE`);
  const changed = rows.map(({ id, left_sealed }) => {
    const place = placeOf(id, 'left_sealed');
    const now = subtract(sealed.open(place, left_sealed), taken.get(id)!, currency);
    if (compare(now, '0') < 0) throw new RangeError('A recovery is taken once.');
    return { id, left_sealed: sealed.seal(place, now), open: !isZero(now) };
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
async function take(
  { db, keys }: Context,
  sealed: FieldCipher,
  { lines, currency, back }: { lines: readonly PayslipLines[]; currency: string; back: boolean },
): Promise<void> {
  const signed = (taken: Map<string, string>) =>
    [...taken].map(([id, amount]) => [id, back ? subtract('0', amount, currency) : amount] as const);
  await changeLeft(db, sealed, new Map(signed(takenOf(lines, 'recovery', currency))), currency);
  const instalments = signed(takenOf(lines, 'loan', currency)).map(([loan_id, amount]) => ({ loan_id, amount }));
  await takeInstalments(db, { keys }, instalments);
}

/** Decrypts the amounts that payslips left over and deducted. */
const opened = (sealed: Pick<FieldCipher, 'open'>, slips: readonly DebtSlip[]) =>
  slips.map((slip) => ({
    slip,
    lines: openPart(sealed, slip, 'lines') as PayslipLines,
    figures: openPart(sealed, slip, 'figures') as PayslipFigures,
  }));

/**
 * Settles the debts of payslips that become final: creates recoveries, reduces deducted ones, and settles leave.
 * @throws RangeError if a deduction exceeds the outstanding amount, or another payslip has settled the leave
 */
export async function settleDebts(context: Context, slips: readonly DebtSlip[], currency: string): Promise<void> {
  const { db, keys } = context;
  const sealed = await openEncryption(db, keys.master);
  const all = opened(sealed, slips);
  const debts = all.flatMap(({ slip, figures }) =>
    figures.left_over.map(({ code, amount }) => ({
      employee_id: slip.employee_id,
      entry_id: slip.id,
      code,
      amount,
    })),
  );
  await addRecoveries(db, sealed, debts);
  await settleLeave(db, all);
  await take(context, sealed, { lines: all.map(({ lines }) => lines), currency, back: false });
}

/** Reverses the debts of final payslips: deletes their recoveries, refunds their deductions and reopens leave. */
export async function reopenDebts(context: Context, slips: readonly DebtSlip[], currency: string): Promise<void> {
  const { db, keys } = context;
  await freeLeave(db, slips);
  await db.recovery.deleteMany({ where: { entry_id: { in: slips.map(({ id }) => id) } } });
  const sealed = await openEncryption(db, keys.master);
  await take(context, sealed, { lines: opened(sealed, slips).map(({ lines }) => lines), currency, back: true });
}
