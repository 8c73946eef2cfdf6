/** Maps a request body to the columns of an employee. Sensitive values are encrypted. */
import { sql, violatedConstraint } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { openEncryption, type FieldCipher } from '@suite/field-encryption';
import { DATED, type EmploymentTerms } from '../../employment/employment/employment-terms.ts';
import { storedBank } from '../../employment/employee-users/bank-account.rules.ts';
import { UserTaken } from '../../employment/employee-users/employee-user.ts';
import type { CommandContext, Db } from '../../operations.ts';
import type { EmployeeChanges, SalaryInput } from './employee-input.schema.ts';
import { employeeCipherLocation } from './employee-encrypted-fields.ts';
import { CodeTaken, IdentityTaken } from '../../employment/employee-users/employee.rules.ts';

const UNIQUE_FAULTS: Readonly<Record<string, () => Error>> = {
  employees_workspace_id_code_key: () => CodeTaken({ field: 'code' }),
  employees_user_id_key: () => UserTaken({ field: 'user' }),
  employees_national_id_key: () => IdentityTaken({ field: 'national_id' }),
  employees_tax_id_key: () => IdentityTaken({ field: 'tax_id' }),
};

/** Converts unique violations to faults. */
export const convertUniqueViolation = <T>(context: Promise<T>): Promise<T> =>
  context.catch((error: unknown) => {
    throw UNIQUE_FAULTS[violatedConstraint(error) ?? '']?.() ?? error;
  });

const IDENTITY = ['national_id', 'tax_id'] as const;
type SensitiveFields = Pick<EmployeeChanges, 'bank' | 'national_id' | 'tax_id' | 'ytd_opening'>;

/** Returns the columns of encrypted fields. Omitted values leave their columns unchanged. */
export function encryptedColumns(
  cipher: FieldCipher | undefined,
  id: string,
  { bank, ytd_opening, ...identity }: SensitiveFields,
): object {
  const columns: Record<string, string | Uint8Array<ArrayBuffer> | null> = {};
  if (bank !== undefined) {
    const account = bank && storedBank(bank);
    columns['bank_sealed'] = account && cipher!.seal(employeeCipherLocation(id, 'bank'), JSON.stringify(account));
  }
  if (ytd_opening !== undefined)
    columns['ytd_opening_sealed'] =
      ytd_opening && cipher!.seal(employeeCipherLocation(id, 'ytd_opening'), JSON.stringify(ytd_opening));
  for (const field of IDENTITY) {
    const value = identity[field];
    if (value === undefined) continue;
    columns[`${field}_sealed`] = value === null ? null : cipher!.seal(employeeCipherLocation(id, field), value);
    columns[`${field}_index`] = value === null ? null : new Uint8Array(cipher!.index(field, value));
  }
  return columns;
}

/** Opens the encryption keys if the body has a value to encrypt. */
export const openKeysFor = async (
  { db, keys }: CommandContext,
  { salary, bank, national_id, tax_id, ytd_opening }: SensitiveFields & { salary?: unknown },
) =>
  [salary, bank, national_id, tax_id, ytd_opening].some((value) => value)
    ? await openEncryption(db, keys.master)
    : undefined;

/** Serialises a salary. The currency defaults to the workspace's. @throws a 422 for an unknown or inactive component */
async function salaryText(db: Db, caller: Caller, { components, ...salary }: SalaryInput): Promise<string> {
  const ids = components.map(({ component_id }) => component_id);
  if (new Set(ids).size < ids.length) throw invalid('salary.components', 'Enter each component only once.');
  // Locks the components, so that none is deleted before the salary refers to it.
  const existing = await db.rows<{ id: string; active: boolean }>(sql`
    SELECT id, active FROM salary_components WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR KEY SHARE`);
  for (const [at, id] of ids.entries()) {
    const component = existing.find((one) => one.id === id);
    const field = `salary.components.${at}.component_id`;
    if (!component) throw invalid(field, 'Salary component not found.');
    if (!component.active) throw invalid(field, 'This component is no longer active. Select another one.');
  }
  return JSON.stringify({
    ...salary,
    currency: salary.currency ?? caller.currency,
    hourly_source: salary.hourly_source ?? null,
    components: components.map(({ component_id, value }) => ({ component_id, value: value ?? null })),
  });
}

/** Returns the salary to write: null to remove it, undefined to leave it unchanged. */
export async function salaryOf(
  { db, caller }: CommandContext,
  salary: SalaryInput | null | undefined,
  cipher: FieldCipher | undefined,
) {
  return salary ? { cipher: cipher!, text: await salaryText(db, caller, salary) } : salary;
}

export const date = (day: string) => new Date(day);
export const dates = (fields: Readonly<Record<string, string | null | undefined>>) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, day]) => (day === undefined ? [] : [[name, day && date(day)]])),
  );

/** Returns the terms among the fields of a request body. */
export const termsOfBody = (
  body: Partial<Record<(typeof DATED)[number], string | null | undefined>>,
): Partial<EmploymentTerms> =>
  Object.fromEntries(DATED.flatMap((field) => (body[field] === undefined ? [] : [[field, body[field]]])));

const PERSON = [
  'email',
  'phone',
  'gender',
  'private_phone',
  'address',
  'emergency_contact',
  'hide_birthday',
  'notice_days',
  'external_id',
] as const;

/** Returns the fields that are stored unchanged. */
export const personOf = (body: Partial<Pick<EmployeeChanges, (typeof PERSON)[number]>>): object =>
  Object.fromEntries(PERSON.flatMap((field) => (body[field] === undefined ? [] : [[field, body[field]]])));
