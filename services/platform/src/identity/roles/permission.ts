/**
 * All permissions of the suite. A permission is `noun.verb`: services check it by name, and roles and API keys consist
 * of permissions. The list covers all services, so that roles are complete from the start.
 */

const basic = ['view', 'create', 'update', 'delete'] as const;

/** Permissions by noun. */
const verbs = {
  // Account
  apikey: ['view', 'create', 'delete'],
  user: [...basic, 'verify', 'reset_password'],
  role: basic,
  team: basic,
  userlog: ['view'],
  integration: ['view', 'manage'],
  workspace: ['update'],
  subscription: ['view', 'manage'],
  partner: basic,

  // Leads, deals and pipelines
  lead: [...basic, 'convert'],
  widget: basic,
  deal: basic,
  pipeline: basic,
  stage: basic,
  label: basic,
  source: basic,

  // Sales and proposals
  opportunity: basic,
  quote: basic,
  sales_order: basic,
  meeting: basic,
  proposal: [...basic, 'send', 'accept_on_behalf', 'reject', 'convert'],

  // Invoices, returns, accounting
  sales_invoice: [...basic, 'post'],
  sales_return: [...basic, 'approve', 'complete'],
  purchase_invoice: [...basic, 'post'],
  purchase_return: [...basic, 'approve', 'complete'],
  customer: basic,
  vendor: basic,
  bank_account: basic,
  revenue: [...basic, 'approve', 'post'],
  expense: [...basic, 'approve', 'post'],
  ledger: ['view', 'lock'],
  commission: ['view', 'update'],

  // Products, stock, point of sale
  product: [...basic, 'cost'],
  category: basic,
  tax: basic,
  unit: basic,
  stock: ['adjust'],
  warehouse: basic,
  transfer: basic,
  pos_order: ['view', 'create', 'refund'],

  // Projects and time
  project: basic,
  task: basic,
  bug: basic,
  milestone: basic,
  report: ['view'],
  time: ['view_all', 'approve'],

  // Support
  ticket: [...basic, 'reply', 'note'],
  faq: basic,
  article: basic,

  // People
  employee: [...basic, 'salary', 'bank', 'identity'],
  attendance: basic,
  leave: [...basic, 'decide'],
  leave_type: basic,
  leave_balance: ['view', 'adjust'],
  payroll: ['view', 'run', 'approve', 'pay', 'reverse'],
  salary_component: ['view', 'update'],
  hr_setting: ['view', 'update'],
  acknowledgment: ['view', 'update'],
  announcement: basic,
  award: basic,
  branch: basic,
  complaint: [...basic, 'decide'],
  department: basic,
  designation: basic,
  document_type: basic,
  employee_transfer: [...basic, 'decide'],
  event: basic,
  holiday: basic,
  hrm_document: basic,
  promotion: [...basic, 'decide'],
  resignation: [...basic, 'decide'],
  shift: basic,
  termination: [...basic, 'decide'],
  warning: [...basic, 'decide'],
} as const;

/** Record kind that permissions apply to. */
export type Noun = keyof typeof verbs;
/** One right. */
export type Permission = { [N in Noun]: `${N}.${(typeof verbs)[N][number]}` }[Noun];
/** One permission, or all permissions of a noun such as `lead.*`. */
export type Grant = Permission | `${Noun}.*`;

/** All nouns. */
export const NOUNS = Object.keys(verbs) as Noun[];

/** All permissions, noun by noun. */
export const PERMISSIONS = Object.entries(verbs).flatMap(([noun, names]) =>
  names.map((name) => `${noun}.${name}`),
) as readonly Permission[];

/** Expands grants to permissions. */
export function permissions(...grants: Grant[]): Permission[] {
  return PERMISSIONS.filter((permission) =>
    grants.some((grant) => grant === permission || grant === `${permission.split('.')[0]}.*`),
  );
}

/** Returns all permissions except the given ones. */
export function permissionsBut(...grants: Grant[]): Permission[] {
  const withheld = new Set(permissions(...grants));
  return PERMISSIONS.filter((permission) => !withheld.has(permission));
}
