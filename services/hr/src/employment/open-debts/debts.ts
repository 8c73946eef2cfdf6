/** Reads the debts of employees: loans and recoveries that are not repaid. */
import { sql } from '@suite/chassis/database';
import type { CipherLocation, FieldCipher } from '@suite/field-encryption';
import type { Db } from '../../operations.ts';
import type { OpenLoan, OpenRecovery } from '../pay-computation/facts/input.ts';
import { type Debtor, debtsOf, type DebtStage, type DebtWarning } from './debts.rules.ts';

type Decryption = Pick<FieldCipher, 'open'>;
const cipherLocationIn =
  (table: string) =>
  (id: string, column: string): CipherLocation => ({ table, column, id });
const [ofRecovery, ofLoan] = [cipherLocationIn('recoveries'), cipherLocationIn('employee_loans')];

/** SQL for the recoveries with the run or loan that they have their currency from. */
const OWED = sql`recoveries AS owed
  LEFT JOIN payroll_entries AS slip ON slip.id = owed.entry_id LEFT JOIN payrolls AS run ON run.id = slip.payroll_id
  LEFT JOIN employee_loans AS loan ON loan.id = owed.loan_id`;

/**
 * Returns the open recoveries of employees in a currency, by employee. A recovery has the currency of its run or loan.
 * @param unknown currency of older debts without one. Defaults to the requested currency
 */
export async function readRecoveries(
  db: Db,
  cipher: Decryption,
  ids: readonly string[],
  currency: string,
  unknown = currency,
): Promise<Map<string, OpenRecovery[]>> {
  const rows = await db.rows<{ id: string; employee_id: string; since: string; left_sealed: string }>(sql`
    SELECT owed.id, owed.employee_id, owed.created_at::date::text AS since, owed.left_sealed FROM ${OWED}
    WHERE owed.employee_id = ANY (${ids}::uuid[]) AND owed.status = 'open'
      AND coalesce(run.currency, loan.currency, ${unknown}) = ${currency}`);
  const people = Map.groupBy(rows, ({ employee_id }) => employee_id);
  return new Map(
    [...people].map(([id, all]) => [
      id,
      all.map((row) => ({
        id: row.id,
        since: row.since,
        left: cipher.open(ofRecovery(row.id, 'left_sealed'), row.left_sealed),
      })),
    ]),
  );
}

interface LoanRow {
  id: string;
  employee_id: string;
  since: string;
  amount_sealed: string;
  instalment_sealed: string;
  left_sealed: string | null;
}

/**
 * Returns the open loans of employees in a currency, by employee. Includes loans whose repayment begins later.
 * @param unknown currency of older loans without one. Defaults to the requested currency
 */
export async function readLoans(
  db: Db,
  cipher: Decryption,
  ids: readonly string[],
  currency: string,
  unknown = currency,
): Promise<Map<string, OpenLoan[]>> {
  const rows = await db.rows<LoanRow>(sql`
    SELECT id, employee_id, first_period::text AS since, amount_sealed, instalment_sealed, left_sealed FROM employee_loans
    WHERE employee_id = ANY (${ids}::uuid[]) AND status = 'open'
      AND coalesce(currency, ${unknown}) = ${currency}`);
  const people = Map.groupBy(rows, ({ employee_id }) => employee_id);
  const decryptLoan = ({ id, since, ...row }: LoanRow): OpenLoan => ({
    id,
    since,
    instalment: cipher.open(ofLoan(id, 'instalment_sealed'), row.instalment_sealed),
    left: row.left_sealed
      ? cipher.open(ofLoan(id, 'left_sealed'), row.left_sealed)
      : cipher.open(ofLoan(id, 'amount_sealed'), row.amount_sealed),
  });
  return new Map([...people].map(([id, all]) => [id, all.map(decryptLoan)]));
}

/** Returns the currencies of an employee's open debts. @param unknown currency of older debts without one */
export async function debtCurrencies(db: Db, employee_id: string, unknown: string): Promise<string[]> {
  const rows = await db.rows<{ currency: string }>(sql`
    SELECT coalesce(currency, ${unknown}) AS currency FROM employee_loans
      WHERE employee_id = ${employee_id}::uuid AND status = 'open'
    UNION SELECT coalesce(run.currency, loan.currency, ${unknown}) FROM ${OWED}
      WHERE owed.employee_id = ${employee_id}::uuid AND owed.status = 'open'
    ORDER BY currency`);
  return rows.map(({ currency }) => currency);
}

/**
 * Returns the warnings about the open debts of employees in a currency.
 * @param unknown currency of older debts without one. Defaults to the requested currency
 */
export async function openDebts(
  { db, cipher }: { db: Db; cipher: Decryption },
  debtors: readonly Debtor[],
  { currency, unknown }: { currency: string; unknown?: string },
  stage: DebtStage,
): Promise<DebtWarning[]> {
  const ids = debtors.map(({ employee_id }) => employee_id);
  const loans = await readLoans(db, cipher, ids, currency, unknown);
  const recoveries = await readRecoveries(db, cipher, ids, currency, unknown);
  return [
    ...debtsOf('loan_open', loans, debtors, currency, stage),
    ...debtsOf('recovery_open', recoveries, debtors, currency, stage),
  ];
}
