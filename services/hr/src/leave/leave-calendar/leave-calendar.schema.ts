import { invalid } from '@suite/chassis/faults';
import { choice, Day, Id, idCheckedBy, input, Name, record, secret } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { daysFrom } from '@suite/time-zones';
import { z } from 'zod';
import { EmployeeLabel } from '../../employees/employees/employee.schema.ts';

const department_id = idCheckedBy('hr: departments are visible to all employees');

/** Absence of an employee. */
export const LeaveEntry = z
  .object({
    id: Id,
    title: z.string().describe('Name of the employee, with the leave type for users who can see the request.'),
    employee: EmployeeLabel,
    from: Day,
    to: Day,
    half_day: choice('none', 'first', 'second'),
    starts_midday: z.boolean(),
    ends_midday: z.boolean(),
    leave_type: z.string().nullable().describe('Name of the leave type, for users who can see the request.'),
  })
  .meta({ id: 'LeaveEntry' });

export const LeaveCalendar = z
  .object({ from: Day, to: Day, entries: z.array(LeaveEntry) })
  .meta({ id: 'LeaveCalendar' });

export const LeaveCalendarQuery = {
  from: Day,
  to: Day.describe('Last day of the period, inclusive. At most 92 days after the first one.'),
  department_id: department_id.optional().describe('Selects employees who work there today.'),
};

const DAYS_MAX = 92;

/** Checks that the requested days are in order and not too many. @throws a 422 that names the field */
export function assertCalendarSpan({ from, to }: { from: string; to: string }): void {
  if (to < from) throw invalid('to', 'The last day must not be before the first day.');
  if (daysFrom(from, to) > DAYS_MAX) throw invalid('to', `Choose at most ${DAYS_MAX} days.`);
}

/** Link at which a calendar program reads absences. */
export const LeaveCalendarLink = record({
  name: z.string(),
  department_id: Id.nullable(),
  token_hint: z.string().describe('Four characters of the token, to distinguish links.'),
}).meta({ id: 'LeaveCalendarLink' });

/** Link with its token, which is shown only once. */
export const LinkWithToken = LeaveCalendarLink.extend({
  token: secret(z.string()).describe(
    'Token of the link: the last part of its URL. Shown once: `null` if the request is repeated with the same `Idempotency-Key`.',
  ),
}).meta({ id: 'LeaveCalendarLinkWithToken' });

export const LinkFilter = list(LeaveCalendarLink, {
  filter: ['name', 'created_at'],
  sort: ['created_at', 'name'],
  search: true,
});
export const LinkInput = input({ name: Name, department_id: department_id.nullish() });
export const LinkToken = z.string().max(200);

export type LeaveEntry = z.output<typeof LeaveEntry>;
export type LinkInput = z.output<typeof LinkInput>;
