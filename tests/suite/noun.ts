/** Derives the kind of record that a field or path variable names from its name and path. */
import { singular } from '@suite/chassis/fields';

const PEOPLE = new Set(['owner', 'assignee', 'user', 'created_by', 'updated_by', 'by', 'actor', 'cashier', 'member']);
/** The kind of record behind a name that describes its role in another record. */
const PARTS: Readonly<Record<string, string>> = {
  from_warehouse: 'warehouse',
  to_warehouse: 'warehouse',
  from_account: 'bank_account',
  to_account: 'bank_account',
  income_account: 'gl_account',
  expense_account: 'gl_account',
  stock_account: 'gl_account',
  account: 'gl_account',
  base: 'unit',
  to_branch: 'branch',
  to_department: 'department',
  to_designation: 'designation',
  to_manager: 'employee',
  from_employee: 'employee',
  against_employee: 'employee',
  order: 'sales_order',
  proposal: 'sales_proposal',
  plan: 'commission_plan',
  set_off: 'commission',
  into: 'ticket',
  entry: 'time_entry',
  merge_into: 'ticket',
  id_or_slug: 'knowledge',
  leaveapplication: 'leave_application',
};
/** Records of several kinds, distinguished by the path. */
const KINDS: Readonly<Record<string, [RegExp, string][]>> = {
  invoice: [
    [/sales-invoice-return|revenues/, 'posted_sales_invoice'],
    [/purchase-return|expenses/, 'posted_purchase_invoice'],
    [/purchase/, 'purchase_invoice'],
    [/./, 'sales_invoice'],
  ],
  category: [
    [/support-ticket/, 'support_category'],
    [/revenue/, 'revenue_category'],
    [/expense/, 'expense_category'],
    [/./, 'category'],
  ],
  gl_account: [
    [/revenue/, 'revenue_account'],
    [/expense/, 'expense_account'],
    [/./, 'gl_account'],
  ],
  invoice_line: [
    [/purchase/, 'purchase_invoice_line'],
    [/./, 'sales_invoice_line'],
  ],
  // An order is created from an accepted quote, and the stock contains none.
  quote: [
    [/sales-order/, 'accepted_quote'],
    [/./, 'quote'],
  ],
  // Time entries that are submitted, or approved and not invoiced.
  entry: [
    [/approve|reject/, 'submitted_time'],
    [/reopen/, 'approved_time'],
  ],
  // A run is approved after its calculation, and paid after its approval.
  payroll: [
    [/payroll\/(?:pay|payment-file|reverse)\//, 'approved_payroll'],
    [/payroll\/approve/, 'calculated_payroll'],
    [/payroll\/run/, 'drafted_payroll'],
    [/./, 'payroll'],
  ],
  payroll_entry: [
    [/withhold|release/, 'withheld_payslip'],
    [/./, 'payroll_entry'],
  ],
  // Documents of employees and of companies.
  type: [[/document/, 'document_type']],
  document: [
    [/employee/, 'employee_document'],
    [/./, 'hrm_document'],
  ],
  // The subject of a meeting, with the first type that it can have.
  parent: [[/meeting/, 'lead']],
};
/** Kinds of records that leads and deals each have separately. */
const OF_A_BOARD = new Set(['stage', 'task', 'call', 'file', 'email', 'discussion']);

const snake = (word: string): string => word.replaceAll('-', '_');

/** Words that only name the area of a resource. The next word names the resource. */
const PLACES = new Set(['sales', 'accounting']);
/** The first word of a path, the second one, and the kind that the two name together. */
const NESTED: Readonly<Record<string, string>> = {
  'product category': 'category',
  'v1 invoices': 'sales-invoices',
  'employee confirm-change': 'change-requests',
};
const SPELLINGS: Readonly<Record<string, string>> = {
  opportunitity: 'opportunity',
  opportunities: 'opportunity',
  pos: 'pos_order',
};

/**
 * Returns the noun of a path of the support desk, from the word after `support-ticket`. A note follows its ticket, and
 * a category is unlike the category of products.
 */
const supportDeskNoun = ([noun = '', part = '']: string[]): string =>
  part === 'note' ? 'ticket-note' : noun === 'category' ? 'support-category' : noun;

/** The parts of a project. */
const PROJECT_PARTS = [
  'milestone',
  'task-stage',
  'bug-stage',
  'file',
  'client',
  'member',
  'task-subtask',
  'comment',
  'task',
  'bug',
];
const isOfProjects = (path: string): boolean =>
  /^\/api\/(?:project|lightproj|add-tracker|stop-tracker|time|task)/.test(path);

/** Returns `lead-call` for `/api/lead-call/update/{call_id}`, and `api-keys` for `/api/v1/settings/api-keys/{id}`. */
function resourceOf(path: string): string {
  const words = path
    .split('/')
    .slice(2)
    .filter((word) => !word.startsWith('{') && !PLACES.has(word));
  const [resource = '', action = ''] = words;
  if (resource === 'lightproj')
    return /^(?:project-file|task)/.exec(action)?.[0].replace(/^task/, 'project-task') ?? 'project';
  // Actions of users on a record of their own follow the name of the record.
  if (resource === 'hrm') return action.replace(/-(?:acknowledge|withdraw)$/, '') || resource;
  if (resource === 'support-ticket') return supportDeskNoun(words.slice(1));
  const part = resource === 'project' && words.findLast((word) => PROJECT_PARTS.includes(word));
  if (part) return `project-${part}`;
  const nested = NESTED[`${resource} ${action}`];
  if (nested) return nested;
  if (resource === 'v1') return words.at(-1) ?? '';
  // An app route names its resource after the noun of its parent: /api/lead/lead-stage-update.
  const named = /^(?:(?:lead|deal)-stage|pipeline)/.exec(action)?.[0];
  return named ?? SPELLINGS[resource] ?? resource;
}

/** Returns the kind of record of a path: `lead_call`, `api_key`. */
export const nounOfPath = (path: string): string => snake(singular(resourceOf(path)));

/**
 * Returns the kind of record that a field or variable of an operation names: `stage_id` of a deal is a `deal_stage`.
 */
export function nounOf(path: string, name: string): string {
  if (name === 'id') return path.startsWith('/api/project/{id}') ? 'project' : nounOfPath(path);
  const word = name.replace(/_ids?$/, '');
  // A token belongs to the record that its link opens.
  if (name === 'token') return `${nounOfPath(path)}_token`;
  const board = /^(lead|deal)/.exec(resourceOf(path))?.[1] ?? 'lead';
  if (PEOPLE.has(word)) return 'user';
  const kind = KINDS[word]?.find(([place]) => place.test(path))?.[1];
  if (kind) return kind;
  if (['move_to', 'parent', 'return'].includes(word)) return nounOfPath(path);
  if (isOfProjects(path) && PROJECT_PARTS.includes(word)) return `project_${word}`;
  if (isOfProjects(path) && word === 'subtask') return 'project_task_subtask';
  if (isOfProjects(path) && word === 'stage') return path.includes('bug') ? 'project_bug_stage' : 'project_task_stage';
  if (OF_A_BOARD.has(word)) return `${board}_${word}`;
  return PARTS[word] ?? word;
}
