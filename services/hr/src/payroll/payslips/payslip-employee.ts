/** Employee details on the payslip PDF. */
import { sql } from '@suite/chassis/database';
import type { Caller, Keys } from '@suite/chassis/identity';
import { openDecryption } from '@suite/field-encryption';
import { employeeCipherLocation } from '../../employees/employees/employee-encrypted-fields.ts';
import { PERSONAL } from '../../employment/employment/employment.rules.ts';
import type { Db } from '../../operations.ts';

/** Employee details that the caller can see. All others are null. */
export interface PayslipEmployee {
  department: string | null;
  designation: string | null;
  address: string | null;
  tax_id: string | null;
}

type Row = PayslipEmployee & { user_id: string | null; tax_id_sealed: string | null };

const UNKNOWN: PayslipEmployee = { department: null, designation: null, address: null, tax_id: null };

/**
 * Reads the details of an employee. Address and tax ID require the permissions of the employee record, unless the
 * caller is the employee.
 */
export async function payslipEmployee(
  { db, caller, keys }: { db: Db; caller: Caller; keys: Pick<Keys, 'master'> },
  id: string,
): Promise<PayslipEmployee> {
  const [row] = await db.rows<Row>(sql`
    SELECT employees.address, employees.user_id, employees.tax_id_sealed, departments.name AS department,
      designations.name AS designation
    FROM employees LEFT JOIN departments ON departments.id = employees.department_id
      LEFT JOIN designations ON designations.id = employees.designation_id
    WHERE employees.id = ${id}::uuid`);
  if (!row) return UNKNOWN;
  const { department, designation, address, user_id, tax_id_sealed } = row;
  const canSee = (permission: string) => user_id === caller.user_id || caller.permissions.includes(permission);
  const tax_id =
    tax_id_sealed && canSee('employee.identity')
      ? (await openDecryption(db, keys.master)).open(employeeCipherLocation(id, 'tax_id'), tax_id_sealed)
      : null;
  return { department, designation, address: PERSONAL.every(canSee) ? address : null, tax_id };
}
