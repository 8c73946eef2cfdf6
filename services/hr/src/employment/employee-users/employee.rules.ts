/** Rules for employee data that need no database. */
import { fault, Forbidden } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { isValidIBAN } from 'ibantools';

export const CodeTaken = fault(409, 'code_taken', 'Another employee has this code. Enter another code.');
export const IdentityTaken = fault(409, 'identity_taken', 'Another employee has this number. Check the number.');
export const JoiningOutOfRange = fault(
  422,
  'joining_out_of_range',
  'Enter a joining date between 1950 and two years from now.',
);
export const ProbationBeforeJoining = fault(
  422,
  'probation_before_joining',
  'The probation period ends before the joining date. Choose a later day.',
);
export const IbanInvalid = fault(422, 'iban_invalid', 'This IBAN is not valid. Check the digits.');

const EARLIEST = '1950-01-01';
const YEARS_AHEAD = 2;

/** Returns the same day of another year. 29 February becomes 28 February if the year has none. */
export function inYears(day: string, years: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year + years, month, 0)).getUTCDate();
  return new Date(Date.UTC(year + years, month - 1, Math.min(date, last))).toISOString().slice(0, 10);
}

/** Checks the joining date and the probation period. @throws JoiningOutOfRange, ProbationBeforeJoining */
export function assertDates(
  { joining_date, probation_end }: { joining_date: string; probation_end?: string | null | undefined },
  day: string,
): void {
  if (joining_date < EARLIEST || joining_date > inYears(day, YEARS_AHEAD))
    throw JoiningOutOfRange({ field: 'joining_date' });
  if (probation_end && probation_end < joining_date) throw ProbationBeforeJoining({ field: 'probation_end' });
}

/** Start of an IBAN: the country and two digits. Other account numbers have any format. */
const LIKE_IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{8,}$/;

/** Returns the account to store: an IBAN without spaces, any other account unchanged. @throws IbanInvalid */
export function assertAccount(account: string): string {
  const bare = account.replaceAll(/\s/g, '').toUpperCase();
  if (!LIKE_IBAN.test(bare)) return account;
  if (!isValidIBAN(bare)) throw IbanInvalid({ field: 'bank.account_number' });
  return bare;
}

/** Permissions that fields require in addition to the operation's permission. */
const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  salary: ['employee.salary'],
  ytd_opening: ['employee.salary'],
  bank: ['employee.bank'],
  national_id: ['employee.identity'],
  tax_id: ['employee.identity'],
  ...Object.fromEntries(
    ['dob', 'gender', 'private_phone', 'address', 'emergency_contact', 'hide_birthday', 'documents'].map((field) => [
      field,
      ['employee.identity'],
    ]),
  ),
};

/** Rejects a body with fields that the caller cannot write. @throws Forbidden, naming the permission */
export function assertMayWrite(caller: Caller, body: object): void {
  for (const [field, value] of Object.entries(body)) {
    const missing = value !== undefined && RIGHTS[field]?.find((right) => !caller.permissions.includes(right));
    if (missing) throw Forbidden({ permission: missing, field });
  }
}
