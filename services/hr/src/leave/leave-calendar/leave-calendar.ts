/** Calendar of absences. Colleagues see that an employee is away. Only approvers see the leave type. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import type { Db } from '../../operations.ts';
import { NotAnEmployee } from '../../employment/employee-users/current-employee.ts';
import type { Absence } from './leave-file.ts';
import { assertCalendarSpan, type LeaveEntry } from './leave-calendar.schema.ts';

/** Requested days and department. Without a department, all employees are included. */
export interface CalendarRequest {
  from: string;
  to: string;
  department_id?: string | null | undefined;
}

interface EmployeeAbsence extends Omit<Absence, 'title'> {
  employee_id: string;
  code: string;
  name: string;
}

/** Returns all employees who are away on some days, by name only. All employees may see this. */
export const readAbsences = (db: Db, { from, to, department_id = null }: CalendarRequest): Promise<EmployeeAbsence[]> =>
  db.rows<EmployeeAbsence>(sql`SELECT * FROM leave_between(${from}::date, ${to}::date, ${department_id}::uuid)`);

/** Returns the leave types of absences whose type the caller can see. */
async function visibleTypes(db: Db, caller: Caller, away: readonly EmployeeAbsence[]): Promise<Map<string, string>> {
  const decides = caller.permissions.includes('leave.decide');
  const rows = await db.rows<{ id: string; name: string }>(sql`
    SELECT leave_applications.id, leave_types.name FROM leave_applications
      JOIN leave_types ON leave_types.id = leave_applications.leave_type_id
    WHERE leave_applications.id = ANY (${away.map(({ id }) => id)}::uuid[]) AND (${decides}::boolean OR EXISTS (
      SELECT FROM employees WHERE employees.id = leave_applications.employee_id AND employees.user_id = ${caller.user_id}::uuid))`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Checks if a user can read the calendar: employees, and users who manage leave. */
export async function canReadCalendar(
  db: Db,
  { user_id, permissions }: Pick<Caller, 'user_id' | 'permissions'>,
): Promise<boolean> {
  if (permissions.includes('leave.view')) return true;
  const [employee] = await db.rows(sql`
    SELECT id FROM employees WHERE user_id = ${user_id}::uuid AND status <> 'left'`);
  return employee !== undefined;
}

/** Checks that the caller can read the calendar. @throws NotAnEmployee */
export async function assertColleague(db: Db, caller: Caller): Promise<void> {
  if (!(await canReadCalendar(db, caller))) throw NotAnEmployee();
}

/** Returns the leave calendar that the caller can see. @throws a 422 fault that names the field */
export async function leaveCalendar(db: Db, caller: Caller, request: CalendarRequest) {
  assertCalendarSpan(request);
  const away = await readAbsences(db, request);
  const types = await visibleTypes(db, caller, away);
  const entries = away.map(({ id, employee_id, code, name, updated_at: _, ...entry }) => {
    const leave_type = types.get(id) ?? null;
    const title = leave_type ? `${name}: ${leave_type}` : name;
    return { id, title, employee: { id: employee_id, code, name }, leave_type, ...entry } as LeaveEntry;
  });
  return { from: request.from, to: request.to, entries };
}
