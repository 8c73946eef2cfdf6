import { among, everybody, nobody, staffOnly, visibility } from '@suite/chassis';

/**
 * Records about a person, by the scope of their kind: all; with `team` those of everybody whom the caller leads, at any depth,
 * and his own; his own in any case, also without the permission to view the kind.
 * @param column the column that names the employee
 */
function about(noun: string, table: string, column = 'employee_id') {
  const mine = among(column, 'employees_in_reach');
  return visibility(table, { noun, limited: mine, none: mine });
}

/** Visibility of people and their work. Where and in which hours people work is visible whole to whoever may look it up. */
export const whoSeesWhat = [
  ...everybody('users'),
  ...staffOnly('branches', 'departments', 'designations', 'document_types', 'shifts', 'leave_types'),
  ...staffOnly('settings', 'shift_versions', 'holiday_calendars', 'holidays', 'attendance_devices'),
  ...staffOnly('sensitive_accesses'),
  ...nobody('number_counters', 'data_keys'),
  about('employee', 'employees', 'id'),
  ...['employments', 'employee_history', 'employee_documents'].map((table) => about('employee', table)),
  // No operation reads these: whoever adds the first one says who sees what.
  ...nobody('awards', 'promotions', 'employee_transfers', 'resignations', 'terminations', 'warnings', 'complaints'),
  ...nobody('announcements', 'hrm_documents', 'events', 'audience_parts', 'acknowledgments'),
  ...['attendances', 'attendance_events'].map((table) => about('attendance', table)),
  ...nobody('leave_applications', 'leave_ledger', 'deputies'),
  ...nobody('salary_components', 'salary_component_versions', 'payrolls', 'payroll_entries', 'payroll_one_offs'),
  ...nobody('employee_loans', 'recoveries'),
];
