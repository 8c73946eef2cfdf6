import { everybody, nobody, staffOnly } from '@suite/chassis';

/** Visibility of people and their work. Where and in which hours people work is visible whole to whoever may look it up. */
export const whoSeesWhat = [
  ...everybody('users'),
  ...staffOnly('branches', 'departments', 'designations', 'document_types', 'shifts'),
  ...staffOnly('settings', 'shift_versions', 'holiday_calendars', 'holidays', 'attendance_devices'),
  ...nobody('number_counters', 'data_keys', 'sensitive_accesses'),
  // Counted beside branches and the like, and shown by no operation.
  ...staffOnly('employees'),
  // No operation reads these: whoever adds the first one says who sees what.
  ...nobody('employments', 'employee_history', 'employee_documents'),
  ...nobody('awards', 'promotions', 'employee_transfers', 'resignations', 'terminations', 'warnings', 'complaints'),
  ...nobody('announcements', 'hrm_documents', 'events', 'audience_parts', 'acknowledgments'),
  ...nobody('attendances', 'attendance_events', 'leave_types', 'leave_applications', 'leave_ledger', 'deputies'),
  ...nobody('salary_components', 'salary_component_versions', 'payrolls', 'payroll_entries', 'payroll_one_offs'),
  ...nobody('employee_loans', 'recoveries'),
];
