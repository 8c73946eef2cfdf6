/** Roles that HR can assign to a new user without having their permissions. */
import type { Caller } from '@suite/chassis/identity';
import type { Noun, Permission } from './permission.ts';
import { includesRights, type RoleRow, rightsOf } from './role.rules.ts';

/**
 * Subject of each noun. The table names every noun, so that a new one is classified when it is added. Chosen:
 * permissions over money, people and the workspace itself stay with their current holders. Everything else is daily
 * work, for which HR hires people: of the seeded roles `staff` and `agent`.
 */
const SUBJECTS: Record<Noun, 'work' | 'money' | 'people' | 'workspace'> = {
  apikey: 'work',
  user: 'people',
  role: 'workspace',
  team: 'workspace',
  userlog: 'workspace',
  integration: 'workspace',
  workspace: 'workspace',
  subscription: 'money',
  partner: 'workspace',
  lead: 'work',
  widget: 'work',
  deal: 'work',
  pipeline: 'work',
  stage: 'work',
  label: 'work',
  source: 'work',
  opportunity: 'work',
  quote: 'money',
  sales_order: 'money',
  meeting: 'work',
  proposal: 'money',
  sales_invoice: 'money',
  sales_return: 'money',
  purchase_invoice: 'money',
  purchase_return: 'money',
  customer: 'money',
  vendor: 'money',
  bank_account: 'money',
  revenue: 'money',
  expense: 'money',
  ledger: 'money',
  commission: 'money',
  product: 'money',
  category: 'money',
  tax: 'money',
  unit: 'money',
  stock: 'money',
  warehouse: 'money',
  transfer: 'money',
  pos_order: 'money',
  project: 'work',
  task: 'work',
  bug: 'work',
  milestone: 'work',
  report: 'work',
  time: 'people',
  ticket: 'work',
  faq: 'work',
  article: 'work',
  employee: 'people',
  attendance: 'people',
  leave: 'people',
  leave_type: 'people',
  leave_balance: 'people',
  payroll: 'people',
  salary_component: 'people',
  hr_setting: 'people',
  acknowledgment: 'people',
  announcement: 'people',
  award: 'people',
  branch: 'people',
  complaint: 'people',
  department: 'people',
  designation: 'people',
  document_type: 'people',
  employee_transfer: 'people',
  event: 'people',
  holiday: 'people',
  hrm_document: 'people',
  promotion: 'people',
  resignation: 'people',
  shift: 'people',
  termination: 'people',
  warning: 'people',
};

/**
 * Permissions for the records that staff and support agents look up every day. They show no documents and no salaries.
 */
const DIRECTORIES: readonly Permission[] = [
  'user.view',
  'team.view',
  'integration.view',
  'customer.view',
  'product.view',
  'category.view',
  'unit.view',
  'announcement.view',
  'event.view',
  'holiday.view',
  'hrm_document.view',
];

const isDailyWork = (permission: string): boolean =>
  SUBJECTS[permission.split('.')[0] as Noun] === 'work' || (DIRECTORIES as readonly string[]).includes(permission);

/**
 * Returns true if the caller may hire a user with this role. They must cover the role, or it must be a staff role for
 * daily work.
 */
export function canHireWith(caller: Caller, role: RoleRow & { kind: string }): boolean {
  const rights = rightsOf(role);
  if (includesRights(caller, rights)) return true;
  return role.kind === 'staff' && rights.permissions.every(isDailyWork);
}
