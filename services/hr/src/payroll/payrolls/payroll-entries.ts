/** Lists the payslips of a run, and records accesses to their amounts in the access log. */
import { raw, sql } from '@suite/chassis/database';
import { Id } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { type Expansion, type ListRequest, one, type Page, paginate, readOne } from '@suite/chassis/lists';
import { openDecryption } from '@suite/field-encryption';
import { z } from 'zod';
import { employeeLabels } from '../../employees/employees/employee-label.ts';
import type { Db } from '../../operations.ts';
import { decryptPart } from '../payslips/payslip-encryption.ts';
import { payslipActions } from '../payslips/payslip.view.ts';
import { recordAccess } from '../../organisation/sensitive-accesses/sensitive-access.ts';
import { PayrollEntry, ENCRYPTED_AMOUNTS } from './payroll.schema.ts';
import { type PayrollReader, canSeeAmounts } from './payroll.view.ts';

const Run = z.object({ id: Id });
/** Maximum number of payslips returned with their run. */
export const ENTRIES_SHOWN = 100;
const nothing = Object.fromEntries(ENCRYPTED_AMOUNTS.map((name) => [name, sql`NULL`]));
const viewOf = (caller: Caller, payroll_id: string) => ({
  table: 'payroll_entries',
  where: sql`payroll_entries.payroll_id = ${payroll_id}::uuid`,
  compute: { ...nothing, employee: sql`NULL`, allowed_actions: payslipActions(caller) },
});

interface EncryptedRow {
  id: string;
  figures_sealed: string;
}

/** Decrypts the amounts of a page of payslips with one query. */
const decryptAmounts =
  ({ db, keys }: PayrollReader): Expansion =>
  async (rows) => {
    const ids = rows.map(({ id }) => id as string);
    const encrypted = await db.rows<EncryptedRow>(sql`
      SELECT id, figures_sealed FROM payroll_entries
      WHERE id = ANY (${ids}::uuid[]) AND figures_sealed IS NOT NULL AND calculated_at IS NOT NULL`);
    const cipher = encrypted.length > 0 ? await openDecryption(db, keys.master) : undefined;
    const open = new Map(encrypted.map((row) => [row.id, decryptPart(cipher!, row, 'figures')]));
    for (const row of rows) {
      const amounts = open.get(row['id'] as string);
      for (const name of ENCRYPTED_AMOUNTS) row[name] = amounts?.[name] ?? null;
    }
  };

/** Lists the payslips of a run, one page. Amounts and names require the permission to see salaries. @throws NotFound */
export async function listEntries(context: PayrollReader, payroll_id: string, request: ListRequest): Promise<Page> {
  await readOne(context.db, Run, payroll_id, { table: 'payrolls' });
  if (!canSeeAmounts(context.caller)) return await paginate(context.db, request, viewOf(context.caller, payroll_id));
  return await paginate(
    context.db,
    { ...request, expand: new Set([...request.expand, 'employee', 'figures']) },
    {
      ...viewOf(context.caller, payroll_id),
      expand: { employee: one('employee_id', employeeLabels(context.db)), figures: decryptAmounts(context) },
    },
  );
}

/** Returns the first payslips of a run, by employee. */
export async function firstEntries(context: PayrollReader, payroll_id: string) {
  const columns = Object.keys(PayrollEntry.shape).filter(
    (name) => !['employee', 'allowed_actions'].includes(name) && !ENCRYPTED_AMOUNTS.some((figure) => figure === name),
  );
  const rows = await context.db.rows<Record<string, unknown> & { id: string; employee_id: string }>(sql`
    SELECT ${raw(columns.join(', '))}, ${payslipActions(context.caller)} AS allowed_actions FROM payroll_entries WHERE payroll_id = ${payroll_id}::uuid
    ORDER BY employee_id LIMIT ${ENTRIES_SHOWN}`);
  if (!canSeeAmounts(context.caller)) return rows;
  await one('employee_id', employeeLabels(context.db))(rows, 'employee');
  await decryptAmounts(context)(rows, 'figures');
  return rows;
}

type WriteTransaction = <T>(context: (db: Db) => Promise<T>) => Promise<T>;

/** Records accesses to employees' payslips in the access log, except the caller's own. */
export async function auditEmployeesOfRun(
  write: WriteTransaction,
  { caller, request_id }: { caller: Caller; request_id: string },
  employee_ids: readonly string[],
): Promise<void> {
  if (employee_ids.length === 0) return;
  const [self] = await write((db) =>
    db.rows<{ id: string }>(sql`SELECT id FROM employees WHERE user_id = ${caller.user_id}::uuid`),
  );
  const others = employee_ids.filter((id) => id !== self?.id);
  await recordAccess(
    write,
    { caller, request_id },
    others.map((employee_id) => ({ employee_id, fields: ['payslip'] })),
  );
}

/** Records accesses to the amounts of payslip rows in the access log. */
export const auditEntries = (
  write: WriteTransaction,
  by: { caller: Caller; request_id: string },
  rows: readonly object[],
): Promise<void> =>
  auditEmployeesOfRun(
    write,
    by,
    (rows as { employee_id: string; net?: string | null }[]).flatMap(({ employee_id, net }) =>
      net === undefined || net === null ? [] : [employee_id],
    ),
  );

/** Returns a payslip in the form of the run's list, for responses of commands. */
export async function readPayrollEntry(context: Pick<PayrollReader, 'db' | 'caller' | 'keys'>, id: string) {
  const { db } = context;
  const view = { ...viewOf(context.caller, ''), where: sql`TRUE` };
  const expand = { employee: one('employee_id', employeeLabels(db)), figures: decryptAmounts(context) };
  return await readOne(db, PayrollEntry, id, canSeeAmounts(context.caller) ? { ...view, expand } : view);
}
