/** Views of payslips for their employees and for callers who can see salaries. */
import { type Sql, sql } from '@suite/chassis/database';
import type { Caller, Keys } from '@suite/chassis/identity';
import { type Expansion, type ListRequest, one, type Page, paginate, readOne } from '@suite/chassis/lists';
import { bankWith } from '../../employment/employee-users/bank-account.rules.ts';
import { openDecryption } from '@suite/field-encryption';
import { z } from 'zod';
import { employeeLabels } from '../../employees/employees/employee-label.ts';
import type { Db } from '../../operations.ts';
import { currentEmployee } from '../../employment/employee-users/current-employee.ts';
import { recordAccess } from '../../organisation/sensitive-accesses/sensitive-access.ts';
import { type PayslipAmounts, decryptPart, type EncryptedParts } from './payslip-encryption.ts';
import { FINAL, payslipStates } from './payslip.rules.ts';
import { LISTED_AMOUNTS, Payslip } from './payslip.schema.ts';

interface PayslipReader {
  db: Db;
  caller: Caller;
  keys: Pick<Keys, 'master'>;
}

const NONE = sql`NULL`;

/** Returns the allowed actions on payslips. Employees have no actions on their own payslips. */
export const payslipActions = (caller: Caller): Sql => sql`
  CASE WHEN EXISTS (SELECT FROM employees WHERE employees.id = payroll_entries.employee_id AND employees.user_id = ${caller.user_id}::uuid)
    THEN '{}'::text[] ELSE ${payslipStates.shownTo(caller, 'payroll_entries')} END`;

/** Decrypts the amounts of a list with one query. */
const decryptAmounts =
  ({ db, keys }: PayslipReader): Expansion =>
  async (rows) => {
    const ids = rows.map(({ id }) => id as string);
    const encrypted = await db.rows<{ id: string; figures_sealed: string }>(sql`
      SELECT id, figures_sealed FROM payroll_entries WHERE id = ANY (${ids}::uuid[]) AND figures_sealed IS NOT NULL`);
    const cipher = encrypted.length > 0 ? await openDecryption(db, keys.master) : undefined;
    const amounts = new Map(encrypted.map((row) => [row.id, decryptPart(cipher!, row, 'figures')]));
    for (const row of rows)
      for (const name of LISTED_AMOUNTS) row[name] = amounts.get(row['id'] as string)?.[name] ?? null;
  };

/** Lists the caller's own final payslips, one page. @throws NotAnEmployee */
export async function listOwnPayslips(context: PayslipReader, request: ListRequest): Promise<Page> {
  const { id } = await currentEmployee(context.db, context.caller);
  return await paginate(
    context.db,
    { ...request, expand: new Set([...request.expand, 'figures']) },
    {
      table: 'payroll_entries',
      where: sql`payroll_entries.employee_id = ${id}::uuid AND payroll_entries.status = ANY (${[...FINAL]}::text[])`,
      compute: {
        ...Object.fromEntries(LISTED_AMOUNTS.map((name) => [name, NONE])),
        allowed_actions: sql`'{}'::text[]`,
      },
      expand: { figures: decryptAmounts(context) },
    },
  );
}

const PARTS = ['figures_sealed', 'lines_sealed', 'ytd_sealed', 'bank_sealed', 'explain_sealed'] as const;
/** Columns of a payslip with its encrypted parts. */
const StoredPayslip = Payslip.pick({
  id: true,
  payroll_id: true,
  number: true,
  period_start: true,
  period_end: true,
  pay_date: true,
  currency: true,
  status: true,
  allowed_actions: true,
  paid_on: true,
  created_at: true,
  updated_at: true,
  version: true,
  employee_id: true,
  employee: true,
  regular: true,
  calculated_at: true,
  failure_code: true,
  failure_message: true,
}).extend(Object.fromEntries(PARTS.map((name) => [name, z.string().nullable()])));

const AMOUNT_FIELDS = [
  'working_days',
  'payment_days',
  'lop_days',
  'absent_days',
  'overtime_minutes',
  'gross',
  'total_deductions',
  'employer_cost',
  'net',
  'taxable',
  'tax',
] as const satisfies (keyof PayslipAmounts)[];

const END = 4;
/** Returns the end of an account number, at most half of the characters. */
const lastCharactersOf = (account: string): string =>
  account.slice(-Math.min(END, Math.floor(account.length / 2)) || account.length);

type CorrectedEntry = { of_payroll_entry_id?: string | undefined };

/** Adds the periods of the earlier payslips that lines correct. */
async function withPeriods<Part extends CorrectedEntry>(
  db: Db,
  parts: readonly (readonly Part[])[],
): Promise<Part[][]> {
  const ids = [...new Set(parts.flat().flatMap(({ of_payroll_entry_id: id }) => id ?? []))];
  if (ids.length === 0) return parts.map((lines) => [...lines]);
  const rows = await db.rows<{ id: string; from: string; to: string }>(sql`
    SELECT id, period_start::text AS "from", period_end::text AS "to" FROM payroll_entries WHERE id = ANY (${ids}::uuid[])`);
  const periods = new Map(rows.map(({ id, from, to }) => [id, { from, to }]));
  return parts.map((lines) =>
    lines.map((line) => {
      const of_period = periods.get(line.of_payroll_entry_id ?? '');
      return of_period ? { ...line, of_period } : line;
    }),
  );
}

/**
 * Returns a payslip: the caller's own if final, or any payslip with access to payroll and salaries. @throws NotFound
 */
export async function readPayslip(context: PayslipReader, id: string) {
  const { db, caller, keys } = context;
  const seesAll = ['payroll.view', 'employee.salary'].every((permission) => caller.permissions.includes(permission));
  const row = await readOne(db, StoredPayslip, id, {
    table: 'payroll_entries',
    where: sql`(${seesAll} OR (payroll_entries.status = ANY (${[...FINAL]}::text[]) AND EXISTS (SELECT FROM employees
      WHERE employees.id = payroll_entries.employee_id AND employees.user_id = ${caller.user_id}::uuid)))`,
    compute: {
      allowed_actions: payslipActions(caller),
      explain_sealed: sql`SELECT explain_sealed FROM payslip_workings WHERE payslip_workings.id = payroll_entries.id`,
    },
    expand: { employee: one('employee_id', employeeLabels(db)) },
  });
  const parts = row as typeof row & Pick<EncryptedParts, (typeof PARTS)[number]> & { calculated_at: string | null };
  const cipher = await openDecryption(db, keys.master);
  const decrypt = <Part extends 'figures' | 'lines' | 'ytd' | 'bank' | 'explain'>(part: Part) =>
    parts.calculated_at === null ? null : decryptPart(cipher, { ...parts, id }, part);
  const [amounts, lines, bank] = [decrypt('figures'), decrypt('lines'), decrypt('bank')];
  const { earnings = [], deductions = [], employer = [] } = lines ?? {};
  const [earned, explain] = await withPeriods<CorrectedEntry>(db, [earnings, decrypt('explain') ?? []]);
  return {
    ...row,
    ...Object.fromEntries(AMOUNT_FIELDS.map((name) => [name, amounts?.[name] ?? null])),
    earnings: earned,
    deductions,
    employer,
    ytd: decrypt('ytd'),
    leave: amounts?.leave ?? [],
    bank: bank && bankWith(bank, { last_4: lastCharactersOf(bank.account) }),
    explain,
  } as unknown as z.input<typeof Payslip>;
}

interface PayslipResponse {
  value: object;
  caller: Caller;
  request: { id: string };
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

/** Records an access to another employee's payslip in the access log. */
export async function auditPayslip({ value, caller, request, write }: PayslipResponse): Promise<void> {
  const { employee_id } = value as { employee_id: string };
  const [own] = await write((db) =>
    db.rows(sql`SELECT id FROM employees WHERE id = ${employee_id}::uuid AND user_id = ${caller.user_id}::uuid`),
  );
  if (!own) await recordAccess(write, { caller, request_id: request.id }, [{ employee_id, fields: ['payslip'] }]);
}
