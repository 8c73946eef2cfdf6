/** The roles that every workspace has from the start. Nobody can change them: they mean the same everywhere. */
import { ofPeople } from './people-grants.ts';
import { type Grant, type Noun, type Permission, PERMISSIONS, permissions, permissionsBut } from './permission.ts';

/** The scopes of records that a role sees, from the fewest to the most. */
export const RECORD_SCOPES = ['own', 'team', 'all'] as const;
export type RecordScope = (typeof RECORD_SCOPES)[number];
export type RecordScopes = Partial<Record<Noun, RecordScope>>;

/** The rights of a role. */
export interface Rights {
  permissions: readonly string[];
  /** A resource that is missing is `all`. */
  record_scopes: Readonly<Record<string, RecordScope>>;
}

interface SeededRole extends Rights {
  name: string;
  description: string;
  kind: UserKind;
  permissions: readonly Permission[];
  record_scopes: Readonly<RecordScopes>;
}

/** The kinds of users in a workspace. */
export const USER_KINDS = ['owner', 'staff', 'client', 'vendor'] as const;
export type UserKind = (typeof USER_KINDS)[number];

/** The permissions to look up that every member of staff has. */
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
/** Only owners see the API keys of others. */
const ownKeys = { apikey: 'own' } as const;

export const SEEDED_ROLES = {
  owner: {
    name: 'Owner',
    description: 'May do everything, and is the only one who makes other owners.',
    kind: 'owner',
    permissions: PERMISSIONS,
    record_scopes: {},
  },
  manager: {
    name: 'Manager',
    description: 'Runs the daily business; sees no salaries, pays for nothing, deletes no users and makes no roles.',
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
    description: 'Invoices, returns, payments and the ledger.',
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
    description: 'Works their own leads and deals through to the order.',
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
    description: 'Employees, attendance, leave and payroll.',
    kind: 'staff',
    permissions: permissions(...common, ...ofPeople, 'user.view', 'time.*'),
    record_scopes: ownKeys,
  },
  payroll: {
    name: 'Payroll',
    description: 'Runs, approves and pays the payroll; sees what people earn, and where it is paid to.',
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
    description: 'Works on the projects and tasks they are part of.',
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
    description: 'Follows their own deals, proposals, invoices, projects and tickets.',
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
    description: 'Follows the purchases made from them.',
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
