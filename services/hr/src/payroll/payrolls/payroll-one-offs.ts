/** One-off payments of a run, with encrypted amounts. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Keys } from '@suite/chassis/identity';
import { isOverPrecise } from '@suite/money';
import { openEncryption, type CipherLocation, type FieldCipher } from '@suite/field-encryption';
import type { Db } from '../../operations.ts';
import type { OneOffInput } from './payroll.schema.ts';

const locationOf = (id: string): CipherLocation => ({ table: 'payroll_one_offs', column: 'amount_sealed', id });

/** One-off payment or deduction for an employee. */
export interface PayrollOneOff {
  id: string;
  employee_id: string;
  component_id: string;
  code: string;
  amount: string;
  note: string | null;
}

/** Reads the one-off payments of a run. @param employee_ids limits the result to these employees. Defaults to all. */
export async function readOneOffs(
  db: Db,
  cipher: Pick<FieldCipher, 'open'>,
  payroll_id: string,
  employee_ids?: readonly string[],
): Promise<PayrollOneOff[]> {
  const rows = await db.rows<Omit<PayrollOneOff, 'amount'> & { amount_sealed: string }>(sql`
    SELECT one_off.id, one_off.employee_id, one_off.component_id, component.code, one_off.amount_sealed, one_off.note
    FROM payroll_one_offs AS one_off JOIN salary_components AS component ON component.id = one_off.component_id
    WHERE one_off.payroll_id = ${payroll_id}::uuid
      AND (${employee_ids === undefined} OR one_off.employee_id = ANY (${employee_ids ?? []}::uuid[]))
    ORDER BY one_off.id`);
  return rows.map(({ amount_sealed, ...row }) => ({ ...row, amount: cipher.open(locationOf(row.id), amount_sealed) }));
}

/** Checks that each component can be paid as a one-off. @throws a 422 fault that names the field */
async function assertPayable(db: Db, one_offs: readonly OneOffInput[]): Promise<void> {
  const ids = one_offs.map(({ component_id }) => component_id);
  const components = await db.salaryComponent.findMany({ where: { id: { in: ids } } });
  for (const [at, { component_id }] of one_offs.entries()) {
    const field = `one_offs.${at}.component_id`;
    const component = components.find(({ id }) => id === component_id);
    if (!component) throw invalid(field, 'Salary component not found.');
    if (component.kind !== 'earning') throw invalid(field, 'Choose an earning. Other components are not paid.');
    if (!component.active) throw invalid(field, 'This component is inactive. Choose an active one.');
  }
}

/** Replaces the one-offs of a run. @throws a 422 fault that names the field */
export async function writeOneOffs(
  { db, keys }: { db: Db; keys: Pick<Keys, 'master'> },
  { id, currency }: { id: string; currency: string },
  one_offs: readonly OneOffInput[],
): Promise<void> {
  await db.rows(sql`DELETE FROM payroll_one_offs WHERE payroll_id = ${id}::uuid`);
  if (one_offs.length === 0) return;
  const wrong = one_offs.findIndex(({ amount }) => isOverPrecise(amount, currency));
  if (wrong >= 0) throw invalid(`one_offs.${wrong}.amount`, `Enter an amount in ${currency} with fewer decimals.`);
  await assertPayable(db, one_offs);
  const cipher = await openEncryption(db, keys.master);
  const rows = one_offs.map(({ amount, note, ...of }) => {
    const row_id = randomUUIDv7();
    return { id: row_id, ...of, note: note ?? null, amount_sealed: cipher.seal(locationOf(row_id), amount) };
  });
  await db.rows(sql`
    INSERT INTO payroll_one_offs (id, payroll_id, employee_id, component_id, amount_sealed, note)
    SELECT id, ${id}::uuid, employee_id, component_id, amount_sealed, note
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS paid (id uuid, employee_id uuid, component_id uuid, amount_sealed text, note text)`);
}

/** Checks that employees with one-off payments belong to the run. @throws a 422 that names the field */
export async function assertEnrolled(db: Db, payroll_id: string, one_offs: readonly OneOffInput[]): Promise<void> {
  const ids = one_offs.map(({ employee_id }) => employee_id);
  const rows = await db.rows<{ employee_id: string }>(sql`
    SELECT employee_id FROM payroll_entries WHERE payroll_id = ${payroll_id}::uuid AND employee_id = ANY (${ids}::uuid[])`);
  const enrolled = new Set(rows.map(({ employee_id }) => employee_id));
  const outsider = ids.findIndex((id) => !enrolled.has(id));
  if (outsider >= 0)
    throw invalid(
      `one_offs.${outsider}.employee_id`,
      'This employee is not paid by this run. Choose another employee.',
    );
}
