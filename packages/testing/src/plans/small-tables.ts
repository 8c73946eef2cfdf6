/**
 * Tables with at most a few hundred rows per workspace, such as settings: reading all rows costs less than an index.
 */
export const smallTables: ReadonlySet<string> = new Set([
  'account_types',
  'agents',
  'api_keys',
  'attendance_devices',
  'bank_accounts',
  'blocked_senders',
  'branches',
  'calendars',
  'canned_replies',
  'categories',
  'commission_plans',
  'deal_stages',
  'departments',
  'designations',
  'document_types',
  'expense_categories',
  'faqs',
  'gl_accounts',
  'holiday_calendars',
  'holidays',
  'labels',
  'lead_stages',
  'leave_calendar_links',
  'mailboxes',
  'parked_mails',
  'partners',
  'period_locks',
  'pipelines',
  'project_clients',
  'revaluations',
  'revenue_categories',
  'roles',
  'salary_components',
  'sessions',
  'shifts',
  'sla_policies',
  'social_posts',
  'sources',
  'stages',
  'taxes',
  'teams',
  'units',
  'widgets',
]);

/**
 * Tables with only a few rows per workspace, because other lists read all rows: leave balances combine each leave type
 * with each employee, and inventory returns all warehouses to sales.
 */
export const tinyTables: ReadonlySet<string> = new Set(['leave_types', 'warehouses']);
