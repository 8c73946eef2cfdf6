/** Files about an employee: visible to the employee and to callers with the permissions for files of others. */
import { raw, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import type { Db } from '../../operations.ts';
import { PERSONAL } from './employment.rules.ts';

interface PersonalFiles {
  table: string;
  /** Column with the key of the file. */
  column: string;
  /** Permissions to see files of other employees. */
  permissions: readonly string[];
}

export const EMPLOYEE_DOCUMENTS: PersonalFiles = {
  table: 'employee_documents',
  column: 'key',
  permissions: PERSONAL,
};
export const LEAVE_ATTACHMENTS: PersonalFiles = {
  table: 'leave_applications',
  column: 'attachment_key',
  permissions: ['leave.decide', ...PERSONAL],
};

/**
 * Returns the record of a file if the caller can see the file. Links without a user open every file. Callers with the
 * permissions may read the file even if they cannot see the employee.
 */
export async function personalFile(
  db: Db,
  caller: Caller | null,
  key: string,
  { table, column, permissions }: PersonalFiles,
): Promise<object | undefined> {
  const seesOthers = !caller || permissions.every((permission) => caller.permissions.includes(permission));
  const [found] = await db.rows<object>(sql`
    SELECT 1 AS found FROM ${raw(table)} AS file LEFT JOIN employees ON employees.id = file.employee_id
    WHERE file.${raw(column)} = ${key} AND (${seesOthers} OR employees.user_id = ${caller?.user_id ?? null}::uuid)`);
  return found;
}
