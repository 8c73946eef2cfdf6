import { choice, Day, input, version, LongText } from '@suite/chassis/fields';
import { EmployeeInput } from '../../employees/employees/employee-input.schema.ts';
import { PlainEmployee } from '../../employees/employees/employee.schema.ts';
import { exitWarnings } from '../../employment/open-debts/debt-warnings.ts';
import { EXIT_CAUSES } from '../../employment/employment/exit.ts';

export const StatusChange = input({
  action: choice('activate', 'suspend', 'resume', 'begin_long_leave', 'end_long_leave'),
  reason: LongText.max(500).min(1).optional().describe("Reason, stored in the employee's history."),
  version,
});

/** Employee whose employment ends. */
export const LeavingEmployee = PlainEmployee.extend({ warnings: exitWarnings() }).meta({ id: 'LeavingEmployee' });

export const Ending = input({
  exit_date: Day.describe('Last day of employment.'),
  cause: choice(...EXIT_CAUSES),
  version,
});

const { branch_id, department_id, designation_id, employment_type, ...more } = EmployeeInput.shape;

/** New employment of a former employee. Omitted terms default to their previous values. */
export const Rehiring = input({
  joining_date: Day.describe('Joining date, after the last day of the previous employment.'),
  branch_id: branch_id.optional(),
  department_id: department_id.optional(),
  designation_id: designation_id.optional(),
  employment_type: employment_type.optional(),
  manager_id: more.manager_id,
  shift_id: more.shift_id,
  calendar_id: more.calendar_id,
  salary: more.salary.describe('Salary of the new employment. Defaults to none.'),
  probation_end: more.probation_end,
  notice_days: more.notice_days,
  version,
});
