/** View of loans. Amounts are decrypted for callers with access to salaries. */
import { sql } from '@suite/chassis/database';
import type { Caller, Keys } from '@suite/chassis/identity';
import { type ListRequest, one, paginate, readOne } from '@suite/chassis/lists';
import { type CipherLocation, openDecryption } from '@suite/field-encryption';
import { employeeLabels } from '../../employees/employees/employee-label.ts';
import type { Db } from '../../operations.ts';
import { recordAccess } from '../../organisation/sensitive-accesses/sensitive-access.ts';
import { EmployeeLoan } from './loan.schema.ts';
import { loanStates } from './loan.rules.ts';

/** Location of an encrypted loan amount. */
export const loanCipherLocation = (id: string, name: AmountName): CipherLocation => ({
  table: 'employee_loans',
  column: `${name}_sealed`,
  id,
});

const AMOUNTS = ['amount', 'instalment', 'left'] as const;
export type AmountName = (typeof AMOUNTS)[number];

interface LoanReader {
  db: Db;
  caller: Caller;
  keys: Pick<Keys, 'master'>;
}
type Row = Record<AmountName, string> & { id: string; employee_id: string; own: boolean; lent: string };

const viewOf = (db: Db, caller: Caller) => ({
  table: 'employee_loans',
  compute: {
    amount: sql`employee_loans.amount_sealed`,
    instalment: sql`employee_loans.instalment_sealed`,
    left: sql`employee_loans.left_sealed`,
    currency: sql`coalesce(employee_loans.currency, ${caller.currency})`,
    allowed_actions: loanStates.shownTo(caller, 'employee_loans'),
  },
  expand: { employee: one('employee_id', employeeLabels(db)) },
});

/** Decrypts the loan amounts of rows. The full amount of a new loan is outstanding. */
async function openAmounts(
  { db, keys }: Pick<LoanReader, 'db' | 'keys'>,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  if (rows.length === 0) return;
  const cipher = await openDecryption(db, keys.master);
  for (const row of rows) {
    for (const name of AMOUNTS) {
      if (typeof row[name] === 'string')
        row[name] = cipher.open(loanCipherLocation(row['id'] as string, name), row[name]);
    }
  }
}

/** Returns a page of the loans of employees whom the caller can see. */
export async function listLoans({ db, caller, keys }: LoanReader, request: ListRequest) {
  const { compute, ...view } = viewOf(db, caller);
  const own = sql`employee_loans.employee_id IN (SELECT id FROM employees WHERE user_id = ${caller.user_id}::uuid)`;
  const id = sql`employee_loans.id`;
  const page = await paginate(db, request, { ...view, compute: { ...compute, own, id } });
  await openAmounts({ db, keys }, page.rows as Row[]);
  return page;
}

/** Returns a loan as commands return it. @throws NotFound */
export async function showLoan({ db, caller, keys }: LoanReader, id: string) {
  const row = await readOne(db, EmployeeLoan, id, viewOf(db, caller));
  await openAmounts({ db, keys }, [row]);
  return row;
}

/** Response of a list, ready to be sent. */
interface LoanResponse {
  value: { rows: object[] };
  shown: readonly object[];
  caller: Caller;
  request: { id: string };
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

/** Records accesses to employees' loan amounts in the access log. */
export async function auditLoans({ value, shown, caller, request, write }: LoanResponse): Promise<void> {
  const disclosed = (value.rows as Row[]).filter(
    ({ own }, at) => !own && AMOUNTS.some((name) => (shown[at] as Partial<Row>)[name] !== undefined),
  );
  const people = new Set(disclosed.map(({ employee_id }) => employee_id));
  await recordAccess(
    write,
    { caller, request_id: request.id },
    [...people].map((employee_id) => ({ employee_id, fields: ['loan'] })),
  );
}
