import { choice, Day, encrypted, Id, inner, record } from '@suite/chassis/fields';
import { list, onDemand, expandable } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { UserLabel } from '@suite/user-copies';
import { z } from 'zod';
import { payrollBases } from '../../time/days/day.rules.ts';
import { EmployeeDocument } from '../../employment/employee-documents/document.schema.ts';
import { EmployeeChange } from '../../employment/employee-history/employee-change.schema.ts';
import { employeeStates, PERSONAL } from '../../employment/employment/employment.rules.ts';
import { Salary } from '../../employment/salary-components/salary.schema.ts';
import { LeaveBalance } from '../../employment/leave-balances/leave-balance.schema.ts';

/** Employees can see their own personal data. Other callers need the permissions to manage and identify employees. */
const oneself = { person: 'user_id' };
const personal = <S extends z.ZodType>(schema: S) => inner(schema, PERSONAL, oneself);

export const EmploymentType = choice('full', 'part', 'contract', 'intern');
export const Gender = choice('female', 'male', 'other', 'undisclosed');
const Status = choice('onboarding', 'active', 'on_leave_long', 'suspended', 'on_notice', 'left');

/** Value whose end is shown. The full value requires `reveal`, and this is recorded in the access log. */
const Masked = z.object({
  last_4: z.string().describe('Last four characters. Fewer for values with fewer than eight characters.'),
  value: z.string().optional().describe('Full value, if it was revealed.'),
});
const Bank = z
  .object({
    bank_name: z.string(),
    holder: z.string().nullable(),
    account_number: Masked,
    bank_code: z.string().nullable(),
  })
  .meta({ id: 'EmployeeBank' });
const EmergencyContact = z.object({ name: z.string(), relation: z.string().nullable(), phone: z.string() });

/** Short form of a setup record or an employee. */
export const NamedRow = z.object({ id: Id, name: z.string() }).meta({ id: 'NamedRow' });
/** Short form of an employee. */
export const EmployeeLabel = z.object({ id: Id, code: z.string(), name: z.string() }).meta({ id: 'EmployeeLabel' });

/** Current or former employee, with the terms of today or of the requested day. */
export const Employee = record({
  code: z.string(),
  user_id: Id.nullable().describe('ID of the user account of the employee.'),
  name: z.string(),
  email: z.string().nullable().describe('Business e-mail address.'),
  phone: z.string().nullable().describe('Business phone number.'),
  status: Status,
  branch_id: Id,
  department_id: Id,
  designation_id: Id,
  manager_id: Id.nullable(),
  shift_id: Id.nullable(),
  calendar_id: Id.nullable().describe('ID of the own holiday calendar. `null` for the calendar of the branch.'),
  employment_type: EmploymentType,
  payroll_basis: choice(...payrollBases)
    .nullable()
    .describe('Payroll basis of the employee. `null` if the basis of the shift or the workspace applies.'),
  joining_date: Day.describe('Joining date of the current or last employment.'),
  exit_date: Day.nullable().describe('Last day of the employment.'),
  probation_end: Day.nullable(),
  notice_days: z.int().nullable(),
  external_id: z.string().nullable(),
  birthday: z
    .string()
    .nullable()
    .describe('Birthday as `MM-DD`. `null` if it is unknown, or if the workspace or the employee hides it.'),
  dob: personal(Day.nullable()),
  gender: personal(Gender.nullable()),
  private_phone: personal(z.string().nullable()),
  address: personal(z.string().nullable()),
  emergency_contact: personal(EmergencyContact.nullable()),
  hide_birthday: personal(z.boolean()),
  salary: encrypted(inner(Salary.nullable(), 'employee.salary', oneself)),
  bank: encrypted(inner(Bank.nullable(), 'employee.bank', oneself)),
  national_id: encrypted(inner(Masked.nullable(), 'employee.identity', oneself)),
  tax_id: encrypted(inner(Masked.nullable(), 'employee.identity', oneself)),
  branch: NamedRow.nullable().optional(),
  department: NamedRow.nullable().optional(),
  designation: NamedRow.nullable().optional(),
  shift: NamedRow.nullable().optional(),
  manager: EmployeeLabel.nullable().optional(),
  user: UserLabel.nullable().optional(),
  allowed_actions: Actions(employeeStates),
}).meta({ id: 'Employee' });

/** Encrypted fields, which are decrypted only on request. */
export const ENCRYPTED = ['salary', 'bank', 'national_id', 'tax_id'] as const;
/** Records that an employee refers to, in short form. */
export const LABELS = ['branch', 'department', 'designation', 'shift', 'manager', 'user'] as const;

const REVEALED = { bank: ['bank'], identity: ['national_id', 'tax_id'] } as const;
const Reveal = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(['bank', 'identity'])).max(2))
  .describe(
    'Sensitive values to return in full: `bank`, `identity` or both. Requires the respective permissions. The access is logged.',
  );

/** Returns the fields that a caller requests in full. */
export const revealedFields = (reveal: z.output<typeof Reveal> | undefined): ReadonlySet<string> =>
  new Set((reveal ?? []).flatMap((group) => REVEALED[group]));

/** Parameters specific to the employee operations `list` and `show`. */
export const EmployeeView = {
  as_of: Day.optional().describe(
    'Returns the terms of this day. Employees who are not employed on that day are not included.',
  ),
  reveal: Reveal.optional(),
};

export const EmployeeFilter = list(Employee, {
  filter: [
    'status',
    'branch_id',
    'department_id',
    'designation_id',
    'manager_id',
    'shift_id',
    'employment_type',
    'user_id',
    'joining_date',
    'exit_date',
    'code',
    'name',
    'external_id',
    'created_at',
    'updated_at',
  ],
  sort: ['name', 'code', 'joining_date', 'created_at', 'updated_at'],
  order: 'name',
  search: true,
  expand: [...LABELS, ...ENCRYPTED],
  also: EmployeeView,
});

const Employment = z
  .object({ id: Id, joining_date: Day, exit_date: Day.nullable(), exit_cause: z.string().nullable() })
  .meta({ id: 'Employment' });

/** Scheduled change of a term. `employee/history` also returns new salaries. */
const ScheduledChange = z
  .object({ field: z.string(), value: z.string().nullable(), effective_from: Day, cause: z.string() })
  .meta({ id: 'ScheduledChange' });

/** Employee with their employments and scheduled changes. */
export const EmployeeDetails = Employee.extend({
  employments: z.array(Employment),
  scheduled_changes: z.array(ScheduledChange),
  documents: expandable(personal(z.array(EmployeeDocument))),
  history: onDemand(
    z
      .array(EmployeeChange)
      .describe(
        'The latest 100 changes of terms, without salaries. `GET /api/employee/history/{id}` returns the complete history.',
      ),
  ),
  balances: onDemand(
    inner(z.array(LeaveBalance), 'leave_balance.view', oneself).describe(
      'Leave balances as of `as_of`, or today. Requires `leave_balance.view`, except for your own.',
    ),
  ),
}).meta({ id: 'EmployeeDetails' });

const maskOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, true])) as Record<Name, true>;

/** Employee as create and update operations return them. */
export const WrittenEmployee = EmployeeDetails.omit({ documents: true, history: true, balances: true })
  .omit(maskOf(LABELS))
  .meta({ id: 'WrittenEmployee' });

/** Employee as other commands return them, without decrypted fields. */
export const PlainEmployee = WrittenEmployee.omit(maskOf(ENCRYPTED)).meta({ id: 'PlainEmployee' });
