import {
  allOf,
  among,
  anyOf,
  type Condition,
  allUsers,
  follows,
  isActor,
  hidden,
  notAmong,
  staffOnly,
  visibility,
} from '@suite/chassis/visibility';
import { visibleToEmployee } from './employees/employee-records/employee-record.rules.ts';

/**
 * Visibility of employee records by record scope. With `team`, callers see their own records and those for their direct
 * and indirect team. Employees always see their own records, even without the permission to view the kind.
 * @param column column that names the employee
 */
function about(noun: string, table: string, column = 'employee_id') {
  const mine = among(column, 'employees_in_reach');
  return visibility(table, { noun, limited: mine, none: mine });
}

const deputyReach = anyOf(among('employee_id', 'employees_in_reach'), among('deputy_id', 'employees_in_reach'));
/** Visibility of deputies: both employees, and callers who see the leave of either. */
const deputyVisibility = visibility('deputies', { noun: 'leave', limited: deputyReach, none: deputyReach });

/**
 * Visibility of decisions: managers see their team's records, and employees their own, with a condition. @param own
 * condition for own records
 */
function decisionVisibility(noun: string, table: string, { own, led = true }: { own: Condition; led?: boolean }) {
  const mine = allOf(among('employee_id', 'own_employee'), own);
  const limited = led ? anyOf(among('employee_id', 'employees_led'), mine) : mine;
  return visibility(table, { noun, limited, none: mine });
}

const filed = among('from_employee_id', 'own_employee');
const notAgainstCaller = notAmong('against_employee_id', 'own_employee');
const awarded = anyOf(among('employee_id', 'own_employee'), 'awards.public');

/** Employee records. A manager sees promotions, transfers and resignations, but no warnings or terminations. */
const records = [
  visibility('awards', {
    noun: 'award',
    limited: anyOf(among('employee_id', 'employees_led'), awarded),
    none: awarded,
  }),
  decisionVisibility('promotion', 'promotions', { own: visibleToEmployee('promotions') }),
  decisionVisibility('employee_transfer', 'employee_transfers', { own: visibleToEmployee('employee_transfers') }),
  decisionVisibility('resignation', 'resignations', { own: 'TRUE' }),
  decisionVisibility('termination', 'terminations', { own: visibleToEmployee('terminations'), led: false }),
  decisionVisibility('warning', 'warnings', { own: 'TRUE', led: false }),
  visibility('complaints', {
    noun: 'complaint',
    all: notAgainstCaller,
    limited: allOf(filed, notAgainstCaller),
    none: allOf(filed, notAgainstCaller),
  }),
];

/**
 * Visibility of published notices. Editors see all notices. Other callers see notices for their audience, even without
 * the permission to view the kind, and notices they have written.
 * @param shown condition for rows that are shown to their audience
 */
function noticeVisibility(noun: string, table: string, shown = `${table}.status = 'published'`) {
  const ours = allOf(
    `${table}.published_at IS NOT NULL AND ${shown}`,
    // For a plain array comparison, the planner expects few matches, and would read and sort all rows.
    `CASE WHEN ${table}.audience && (SELECT reach_in_audiences(suite_reach('${noun}'))) THEN TRUE ELSE FALSE END`,
  );
  return visibility(table, { noun, drafted: true, limited: anyOf(isActor('created_by'), ours), none: ours });
}

/**
 * Visibility rules of employees and their work. Workplaces and working hours are fully visible to callers with the
 * permission.
 */
export const visibilityRules = [
  ...allUsers('users'),
  ...staffOnly('branches', 'departments', 'designations', 'document_types', 'shifts', 'leave_types'),
  ...staffOnly('settings', 'shift_versions', 'holiday_calendars', 'holidays', 'attendance_devices'),
  ...hidden('number_counters', 'data_keys', 'leave_settlements'),
  about('employee', 'employees', 'id'),
  ...records,
  ...[
    'employments',
    'employee_history',
    'employee_documents',
    'employee_loans',
    'change_requests',
    'sensitive_accesses',
  ].map((table) => about('employee', table)),
  noticeVisibility('announcement', 'announcements'),
  noticeVisibility('hrm_document', 'hrm_documents'),
  // Cancelled events remain visible to invited guests.
  noticeVisibility('event', 'events', "events.status <> 'archived'"),
  about('acknowledgment', 'acknowledgments'),
  // Returned with a notice to callers who can change the notice.
  ...staffOnly('audience_parts'),
  ...hidden('notice_mails'),
  ...['attendances', 'attendance_events'].map((table) => about('attendance', table)),
  about('leave', 'leave_applications'),
  follows('leave_days', { application_id: 'leave_applications' }),
  follows('leave_changes', { application_id: 'leave_applications' }),
  // Each operation reads the links of one user only.
  ...staffOnly('leave_calendar_links'),
  deputyVisibility,
  ...hidden('leave_mails', 'leave_recounts', 'discarded_files'),
  about('leave_balance', 'leave_ledger'),
  ...staffOnly('salary_components', 'salary_component_versions'),
  // All who may see the payroll see all runs. The operations omit sums and employee data beyond the caller's rights.
  ...staffOnly('payrolls'),
  about('payroll', 'payroll_entries'),
  about('payroll', 'payroll_one_offs'),
  follows('payslip_workings', { id: 'payroll_entries' }),
  follows('payroll_postings', { payroll_id: 'payrolls' }),
  follows('payroll_posting_attempts', { posting_id: 'payroll_postings' }),
  // A payment file lists the net pay of all employees of its run.
  visibility('payment_files', { noun: 'payroll', gated: false, limited: 'FALSE' }),
  // Only the warnings of runs read them.
  about('payroll', 'recoveries'),
  ...hidden('payslip_leave_lines', 'project_times', 'loan_payout_attempts', 'loan_waiver_attempts'),
];
