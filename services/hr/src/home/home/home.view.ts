/** Sections of the home page that come from tables, each as one JSON value limited to the caller's data. */
import { type Sql, sql } from '@suite/chassis/database';

const INSTANT = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
const DAYS = 14;

/** Selects the open session. Without one, selects the day itself. */
export const attendanceOf = (employee_id: string, today: string): Sql => sql`
  SELECT jsonb_build_object('local_date', to_char(local_date, 'YYYY-MM-DD'), 'status', status, 'state', state,
    'first_in', to_char(first_in AT TIME ZONE 'UTC', ${INSTANT}), 'worked_minutes', worked_minutes, 'session',
    CASE WHEN state = 'open' THEN (
      SELECT jsonb_build_object('since', to_char(max(at) FILTER (WHERE type = 'in') AT TIME ZONE 'UTC', ${INSTANT}),
        'on_break', (array_agg(type ORDER BY at DESC, id DESC))[1] = 'break_start')
      FROM attendance_events WHERE attendance_id = attendances.id AND voided_at IS NULL) END)
  FROM attendances WHERE employee_id = ${employee_id}::uuid AND (state = 'open' OR local_date = ${today}::date)
  ORDER BY state = 'open' DESC LIMIT 1`;

/** Selects the leave parts of a day, as attendance days show them. */
export const leavesOn = (employee_id: string, day: string): Sql => sql`
  SELECT coalesce(jsonb_agg(jsonb_build_object('leave_application_id', leave_application_id, 'part', part)
    ORDER BY part, leave_application_id), '[]') FROM leave_parts(${employee_id}::uuid, ${day}::date, ${day}::date)`;

/** Selects the approved leave of a day. */
export const leaveOn = (employee_id: string, today: string): Sql => sql`
  SELECT jsonb_build_object('from', to_char("from", 'YYYY-MM-DD'), 'to', to_char("to", 'YYYY-MM-DD'), 'half_day', half_day)
  FROM leave_applications WHERE employee_id = ${employee_id}::uuid AND status = 'approved'
    AND "from" <= ${today}::date AND "to" >= ${today}::date ORDER BY "from", id LIMIT 1`;

/** Selects the birthdays of the next two weeks, without their year. */
export const birthdays = (today: string): Sql => sql`
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', employee_id, 'name', name, 'day', to_char(day, 'MM-DD')) ORDER BY day, name), '[]')
  FROM (SELECT * FROM birthdays_between(${today}::date, ${today}::date + ${DAYS - 1}::int) LIMIT 10) AS near`;

/** Returns the condition that a published notice addresses an employee. */
const isAddressedTo = (employee_id: string): Sql => sql`
  status = 'published' AND published_at IS NOT NULL AND audience && audience_of_employees(ARRAY[${employee_id}::uuid])`;

export const announcementsOf = (employee_id: string): Sql => sql`
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'title', title, 'requires_ack', requires_ack,
    'published_at', to_char(published_at AT TIME ZONE 'UTC', ${INSTANT})) ORDER BY published_at DESC, id DESC), '[]')
  FROM (SELECT * FROM announcements WHERE ${isAddressedTo(employee_id)} ORDER BY published_at DESC, id DESC LIMIT 5) AS newest`;

/** Returns the pending acknowledgments of an employee. */
export const dueAcknowledgments = (employee_id: string): Sql => sql`
  SELECT jsonb_build_object('count', count(*), 'first', coalesce(jsonb_agg(jsonb_build_object('id', id, 'announcement_id', announcement_id,
    'document_id', document_id, 'type', CASE WHEN document_id IS NULL THEN 'announcement' ELSE 'document' END, 'title', title,
    'due_on', to_char(due_on, 'YYYY-MM-DD')) ORDER BY due_on, id) FILTER (WHERE place <= 5), '[]'))
  FROM (
    SELECT due.*, coalesce(announcements.title, hrm_documents.title) AS title, row_number() OVER (ORDER BY due.due_on, due.id) AS place
    FROM acknowledgments AS due LEFT JOIN announcements ON announcements.id = due.announcement_id
      LEFT JOIN hrm_documents ON hrm_documents.id = due.document_id
    WHERE due.employee_id = ${employee_id}::uuid AND due.status = 'pending'
      AND coalesce(announcements.status, hrm_documents.status) = 'published') AS due`;

/** Returns pending leave requests of an employee. */
export const requestsOf = (employee_id: string): Sql => sql`
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'leave_type_id', leave_type_id, 'from', to_char("from", 'YYYY-MM-DD'),
    'to', to_char("to", 'YYYY-MM-DD'), 'half_day', half_day, 'days', days::text, 'status', status) ORDER BY "from", id), '[]')
  FROM (
    SELECT * FROM leave_applications WHERE employee_id = ${employee_id}::uuid AND status IN ('pending', 'first_approved')
    ORDER BY "from", id LIMIT 20) AS asked`;

/** Returns leave requests awaiting an employee's decision, as approver or as today's deputy. */
export const approvalsOf = (employee_id: string, today: string): Sql => sql`
  SELECT jsonb_build_object('count', count(*), 'first', coalesce(jsonb_agg(jsonb_build_object('id', id, 'employee', employee,
    'from', to_char("from", 'YYYY-MM-DD'), 'to', to_char("to", 'YYYY-MM-DD'), 'days', days::text) ORDER BY "from", id)
    FILTER (WHERE place <= 5), '[]'))
  FROM (
    SELECT waiting.*, row_number() OVER (ORDER BY "from", id) AS place
    FROM leave_waiting_for(${employee_id}::uuid, ${today}::date) AS waiting) AS waiting`;

/** Selects the last final payslip. */
export const payslipOf = (employee_id: string): Sql => sql`
  SELECT jsonb_build_object('id', id, 'period_start', to_char(period_start, 'YYYY-MM-DD'), 'period_end', to_char(period_end, 'YYYY-MM-DD'),
    'pay_date', to_char(pay_date, 'YYYY-MM-DD'))
  FROM payroll_entries WHERE employee_id = ${employee_id}::uuid AND status IN ('finalised', 'withheld', 'paid')
  ORDER BY period_end DESC, id DESC LIMIT 1`;
