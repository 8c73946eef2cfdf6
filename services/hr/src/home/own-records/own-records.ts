/**
 * Export of all records about the caller. Encrypted fields are decrypted. Records that the caller may not see are
 * excluded.
 */
import { raw, type Sql, sql } from '@suite/chassis/database';
import type { Caller, Keys } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { openDecryption } from '@suite/field-encryption';
import { visibleToEmployee } from '../../employees/employee-records/employee-record.rules.ts';
import type { Db } from '../../operations.ts';
import { FINAL } from '../../payroll/payslips/payslip.rules.ts';
import { type BankAccount, bankWith } from '../../employment/employee-users/bank-account.rules.ts';
import { currentEmployee } from '../../employment/employee-users/current-employee.ts';

/** Returns a condition for rows that name the employee. @param only condition for rows that the employee may see */
const rowsNaming =
  (column: string, only = 'TRUE') =>
  (id: string): Sql =>
    sql`${raw(column)} = ${id}::uuid AND ${raw(only)}`;
const all = rowsNaming('employee_id');
const decidedRecords = (table: string) => [table, rowsNaming('employee_id', visibleToEmployee(table))] as const;
// Employees can see a payslip once it is final.
const payslips = rowsNaming('employee_id', `status IN (${[...FINAL].map((status) => `'${status}'`).join(', ')})`);

/** Tables with records about employees, and the condition for one employee's rows. */
const RECORD_TABLES: Readonly<Record<string, readonly [table: string, where: (id: string) => Sql]>> = {
  employee: ['employees', rowsNaming('id')],
  employments: ['employments', all],
  history: ['employee_history', all],
  documents: ['employee_documents', all],
  asked_for_changes: ['change_requests', all],
  awards: ['awards', all],
  promotions: decidedRecords('promotions'),
  transfers: decidedRecords('employee_transfers'),
  resignations: ['resignations', all],
  terminations: decidedRecords('terminations'),
  warnings: ['warnings', all],
  // Anonymous complaints are excluded: only owners can determine the author.
  complaints: ['complaints', rowsNaming('from_employee_id')],
  acknowledgments: ['acknowledgments', all],
  attendance: ['attendances', all],
  clock_events: ['attendance_events', all],
  leave: ['leave_applications', all],
  leave_ledger: ['leave_ledger', all],
  deputies: ['deputies', all],
  payslips: ['payroll_entries', payslips],
  payslip_workings: ['payslip_workings', (id) => sql`id IN (SELECT id FROM payroll_entries WHERE ${payslips(id)})`],
  loans: ['employee_loans', all],
  shown_to_others: ['sensitive_accesses', all],
};

type Row = Record<string, unknown> & { id: string };
/** Records of an employee, by kind. */
export type RecordsByKind = Record<string, Row[]>;

/** Technical columns for isolation, search and storage, without personal data. */
const TECHNICAL = ['workspace_id', 'search', 'key', 'attachment_key', 'national_id_index', 'tax_id_index'];

const isBankAccount = (value: unknown): value is BankAccount =>
  typeof value === 'object' && value !== null && 'account' in value && 'holder' in value;

function parsed(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return isBankAccount(value) ? bankWith(value, value.account) : value;
  } catch {
    return text;
  }
}

/** Decrypts the encrypted fields of a row: `bank_sealed` becomes `bank`. Numbers stay strings. */
function decryptRow(
  row: Row,
  table: string,
  open: (place: { table: string; column: string; id: string }) => unknown,
): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) =>
      column.endsWith('_sealed')
        ? [column.replace(/_sealed$/, ''), value === null ? null : open({ table, column, id: row.id })]
        : [column, value],
    ),
  ) as Row;
}

/** Reads all stored data about the caller. @throws NotAnEmployee */
export async function readOwnRecords({ db, caller, keys }: { db: Db; caller: Caller; keys: Pick<Keys, 'master'> }) {
  const { id } = await currentEmployee(db, caller);
  const cipher = await openDecryption(db, keys.master);
  const records: RecordsByKind = {};
  for (const [name, [table, where]] of Object.entries(RECORD_TABLES)) {
    const rows = await db.rows<{ row: Row }>(sql`
      SELECT to_jsonb(${raw(table)}) - ${TECHNICAL}::text[] AS row FROM ${raw(table)} WHERE ${where(id)} ORDER BY id`);
    const valueReader = (row: Row) => (place: { table: string; column: string; id: string }) => {
      const text = cipher.open(place, String(row[place.column]));
      return text.startsWith('{') || text.startsWith('[') ? parsed(text) : text;
    };
    records[name] = rows.map(({ row }) => decryptRow(row, table, valueReader(row)));
  }
  return { as_of: clock.now(), records };
}
