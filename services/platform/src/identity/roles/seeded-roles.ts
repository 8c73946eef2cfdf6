/** Roles that every workspace has from the start. They cannot be changed, so they mean the same everywhere. */
import { HR_GRANTS } from './hr-grants.ts';
import { type Grant, type Noun, type Permission, PERMISSIONS, permissions, permissionsBut } from './permission.ts';

/** Record scopes of a role, from narrowest to widest. */
export const RECORD_SCOPES = ['own', 'team', 'all'] as const;
export type RecordScope = (typeof RECORD_SCOPES)[number];
export type RecordScopes = Partial<Record<Noun, RecordScope>>;

/** Permissions and record scopes of a role. */
export interface RolePermissions {
  permissions: readonly string[];
  /** Record scopes by resource. A missing resource means `all`. */
  record_scopes: Readonly<Record<string, RecordScope>>;
}

interface SeededRole extends RolePermissions {
  name: string;
  description: string;
  kind: UserKind;
  permissions: readonly Permission[];
  record_scopes: Readonly<RecordScopes>;
}

/** Kinds of users in a workspace. */
export const USER_KINDS = ['owner', 'staff', 'client', 'vendor'] as const;
export type UserKind = (typeof USER_KINDS)[number];

/** Lookup permissions of all staff. */
const common: Grant[] = [
  'apikey.*',
  'integration.view',
  'announcement.view',
  'event.view',
  'holiday.view',
  'hrm_document.view',
  'faq.view',
  'article.view',
];
/** Only owners see the API keys of other users. */
const ownKeys = { apikey: 'own' } as const;

export const SEEDED_ROLES = {
  owner: {
    name: 'Owner',
    description: 'Has all permissions. Only owners can create other owners.',
    kind: 'owner',
    permissions: PERMISSIONS,
    record_scopes: {},
  },
  manager: {
    name: 'Manager',
    description: 'Runs the daily business. Cannot see salaries, pay, delete users or create roles.',
    kind: 'staff',
    permissions: permissionsBut(
      'employee.salary',
      'employee.bank',
      'employee.identity',
      'employee.delete',
      'payroll.*',
      'salary_component.*',
      'complaint.*',
      'hr_setting.update',
      'subscription.*',
      'user.delete',
      'role.create',
      'role.update',
      'role.delete',
    ),
    record_scopes: ownKeys,
  },
  accountant: {
    name: 'Accountant',
    description: 'Manages invoices, returns, payments and the ledger.',
    kind: 'staff',
    permissions: permissions(
      ...common,
      'sales_invoice.*',
      'sales_return.*',
      'purchase_invoice.*',
      'purchase_return.*',
      'customer.*',
      'vendor.*',
      'bank_account.*',
      'revenue.*',
      'expense.*',
      'ledger.*',
      'commission.*',
      'pos_order.*',
      'tax.*',
      'product.view',
      'product.cost',
      'category.view',
      'unit.view',
      'warehouse.view',
      'proposal.view',
      'sales_order.view',
      'quote.view',
      'payroll.view',
      'report.view',
      'project.view',
      'task.view',
      'time.view_all',
      'user.view',
    ),
    record_scopes: ownKeys,
  },
  sales: {
    name: 'Sales',
    description: 'Manages their own leads and deals up to the order.',
    kind: 'staff',
    permissions: permissions(
      ...common,
      'lead.*',
      'deal.*',
      'opportunity.*',
      'quote.*',
      'meeting.*',
      'label.*',
      'pipeline.view',
      'stage.view',
      'source.view',
      'sales_order.view',
      'sales_order.create',
      'sales_order.update',
      'proposal.*',
      'customer.view',
      'customer.create',
      'customer.update',
      'sales_invoice.view',
      'product.view',
      'category.view',
      'tax.view',
      'unit.view',
      'pos_order.view',
      'pos_order.create',
      'commission.view',
      'user.view',
    ),
    record_scopes: { ...ownKeys, lead: 'own', deal: 'own', opportunity: 'own', commission: 'own' },
  },
  hr: {
    name: 'Human resources',
    description: 'Manages employees, attendance, leave and payroll.',
    kind: 'staff',
    permissions: permissions(...common, ...HR_GRANTS, 'user.view', 'time.*'),
    record_scopes: ownKeys,
  },
  payroll: {
    name: 'Payroll',
    description: 'Runs, approves and pays the payroll. Sees salaries and bank accounts.',
    kind: 'staff',
    permissions: permissions(
      ...common,
      'employee.view',
      'employee.salary',
      'employee.bank',
      'employee.identity',
      'attendance.view',
      'leave.view',
      'leave_type.view',
      'leave_balance.view',
      'payroll.*',
      'salary_component.*',
      'shift.view',
      'branch.view',
      'department.view',
      'designation.view',
    ),
    record_scopes: ownKeys,
  },
  agent: {
    name: 'Support agent',
    description: 'Answers tickets and writes the knowledge base.',
    kind: 'staff',
    permissions: permissions(
      ...common,
      'ticket.*',
      'faq.*',
      'article.*',
      'customer.view',
      'product.view',
      'project.view',
      'milestone.view',
      'stage.view',
      'bug.view',
      'bug.create',
      'user.view',
    ),
    record_scopes: { ...ownKeys, project: 'own', milestone: 'own', task: 'own', bug: 'own' },
  },
  staff: {
    name: 'Staff',
    description: 'Works on their own projects and tasks.',
    kind: 'staff',
    permissions: permissions(
      ...common,
      'project.view',
      'project.update',
      'milestone.*',
      'stage.view',
      'task.*',
      'bug.*',
      'report.view',
      'ticket.view',
      'ticket.create',
      'ticket.reply',
      'meeting.view',
      'product.view',
    ),
    record_scopes: {
      ...ownKeys,
      project: 'own',
      milestone: 'own',
      task: 'own',
      bug: 'own',
      ticket: 'own',
      meeting: 'own',
    },
  },
  client: {
    name: 'Client',
    description: 'Sees their own deals, proposals, invoices, projects and tickets.',
    kind: 'client',
    permissions: permissions(
      'apikey.*',
      'deal.view',
      'proposal.view',
      'sales_invoice.view',
      'project.view',
      'milestone.view',
      'task.view',
      'ticket.view',
      'ticket.create',
      'ticket.reply',
      'faq.view',
      'article.view',
    ),
    record_scopes: {
      ...ownKeys,
      deal: 'own',
      proposal: 'own',
      sales_invoice: 'own',
      project: 'own',
      milestone: 'own',
      task: 'own',
      ticket: 'own',
    },
  },
  vendor: {
    name: 'Vendor',
    description: 'Follows the purchases made from this vendor.',
    kind: 'vendor',
    permissions: permissions(
      'apikey.*',
      'purchase_invoice.view',
      'purchase_return.view',
      'ticket.view',
      'ticket.create',
      'ticket.reply',
      'faq.view',
      'article.view',
    ),
    record_scopes: { ...ownKeys, purchase_invoice: 'own', purchase_return: 'own', ticket: 'own' },
  },
} as const satisfies Record<string, SeededRole>;

export type SeededRoleKey = keyof typeof SEEDED_ROLES;
export const SEEDED_ROLE_KEYS = Object.keys(SEEDED_ROLES) as SeededRoleKey[];
