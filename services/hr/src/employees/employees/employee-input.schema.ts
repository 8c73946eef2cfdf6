import {
  choice,
  Currency,
  Day,
  Email,
  input,
  LongText,
  Money,
  Name,
  Phone,
  refTo,
  ShortText,
  version,
} from '@suite/chassis/fields';
import { z } from 'zod';
import { payrollBases } from '../../time/days/day.rules.ts';
import { UserChoice } from '../../employment/employee-users/employee-user.schema.ts';
import { EmploymentType, Gender } from './employee.schema.ts';

const HOURS = 'Enter hours as a decimal string such as "38.5".';
const HOURS_MAX = 168;

/** Salary in a request body. */
export const SalaryInput = input({
  basis: choice('monthly', 'hourly'),
  amount: Money,
  currency: Currency.optional().describe('Defaults to the base currency of the workspace.'),
  weekly_hours: z
    .string(HOURS)
    .regex(/^\d{1,3}(\.\d{1,2})?$/, HOURS)
    .refine((hours) => Number(hours) > 0 && Number(hours) <= HOURS_MAX, 'Enter at most 168 hours a week.')
    .default('40'),
  hourly_source: choice('attendance', 'projects').optional(),
  components: z
    .array(
      input({
        component_id: refTo('salary_components'),
        value: Money.optional().describe('Replaces the amount or percentage of the component.'),
      }),
    )
    .max(100)
    .default([]),
});

const BankInput = input({
  bank_name: Name,
  holder: Name.nullish(),
  account_number: ShortText(50).min(4).describe('IBAN, or an account number in another format.'),
  bank_code: ShortText(20).nullish().describe('BIC, routing number or similar code.'),
});

/** Official number. Only its alphanumeric characters count. Spaces and punctuation are ignored. */
const IdentityNumber = z
  .string()
  .trim()
  .max(50)
  .regex(/[\p{L}\p{N}].*[\p{L}\p{N}].*[\p{L}\p{N}]/u, 'Enter at least three alphanumeric characters.');

/**
 * Earnings from a previous employer in the tax year of joining. The year's tax calculation continues from these
 * amounts.
 */
const YearOpening = input({ taxable: Money, tax: Money }).describe(
  'Earnings and taxes from earlier employers in the same tax year.',
);

/** Terms that apply from a given day. */
const terms = {
  employment_type: EmploymentType,
  branch_id: refTo('branches'),
  department_id: refTo('departments'),
  designation_id: refTo('designations'),
  manager_id: refTo('employees').nullish(),
  shift_id: refTo('shifts').nullish(),
  calendar_id: refTo('holiday_calendars').nullish(),
  payroll_basis: choice(...payrollBases)
    .nullish()
    .describe('Replaces the payroll basis of the shift and the workspace. Defaults to `null`: no replacement.'),
  salary: SalaryInput.nullish(),
};

const person = {
  code: ShortText(50).min(1).optional(),
  email: Email.nullish().describe('Business e-mail address.'),
  phone: Phone.nullish().describe('Business phone number.'),
  dob: Day.nullish(),
  gender: Gender.nullish(),
  private_phone: Phone.nullish(),
  address: LongText.nullish(),
  emergency_contact: input({ name: Name, relation: ShortText().nullable().default(null), phone: Phone }).nullish(),
  hide_birthday: z.boolean().optional(),
  national_id: IdentityNumber.nullish(),
  tax_id: IdentityNumber.nullish(),
  bank: BankInput.nullish(),
  ytd_opening: YearOpening.nullish(),
  probation_end: Day.nullish(),
  notice_days: z.int().min(0).max(730).nullish(),
  external_id: ShortText().min(1).nullish(),
};

export const EmployeeInput = input({
  name: Name,
  joining_date: Day,
  ...terms,
  ...person,
  user: UserChoice.default('none'),
});

export const EmployeeChanges = input({
  name: Name.optional(),
  joining_date: Day.optional().describe('Writable until the first payslip.'),
  ...terms,
  employment_type: terms.employment_type.optional(),
  branch_id: terms.branch_id.optional(),
  department_id: terms.department_id.optional(),
  designation_id: terms.designation_id.optional(),
  ...person,
  user: UserChoice.optional(),
  effective_from: Day.optional().describe(
    'First day of the changed branch, department, designation, manager, shift, calendar, employment type, payroll basis and salary. Between the joining date and one year ahead. Defaults to today.',
  ),
  version,
});

export type SalaryInput = z.output<typeof SalaryInput>;
export type EmployeeInput = z.output<typeof EmployeeInput>;
export type EmployeeChanges = z.output<typeof EmployeeChanges>;
