/**
 * The record scopes that have an effect, as the services declare them for their tables (docs/visibility.md). A test
 * compares this table with the declarations.
 */
import { fault } from '@suite/chassis';
import type { Noun } from './permission.ts';
import type { RecordScope, Rights } from './seeded-roles.ts';

export const ScopeWithoutEffect = fault(
  422,
  'scope_without_effect',
  'A record scope has no effect. Remove it, or set it to the scope of the record that it follows.',
);

/** Nouns whose operations show records of the books, whichever of them a role allows. */
const BOOKS = [
  'sales_invoice',
  'sales_return',
  'purchase_invoice',
  'purchase_return',
  'customer',
  'vendor',
  'bank_account',
  'revenue',
  'expense',
  'ledger',
  'commission',
] as const satisfies Noun[];
const WORK = ['project', 'task', 'bug', 'milestone', 'stage', 'report', 'time'] as const satisfies Noun[];

/**
 * The nouns with a record scope. `view`: the scope counts for roles with the permission to view the noun. A list: it
 * counts for roles with any permission of these nouns, because their operations show such records.
 */
export const SCOPED: Partial<Record<Noun, 'view' | readonly Noun[]>> = {
  apikey: 'view',

  lead: 'view',
  deal: 'view',
  opportunity: 'view',
  quote: 'view',
  sales_order: 'view',
  proposal: 'view',
  meeting: 'view',

  customer: BOOKS,
  vendor: BOOKS,
  sales_invoice: BOOKS,
  purchase_invoice: BOOKS,
  sales_return: BOOKS,
  purchase_return: BOOKS,
  revenue: BOOKS,
  expense: BOOKS,
  commission: BOOKS,

  pos_order: ['pos_order'],

  project: WORK,

  ticket: 'view',
  faq: 'view',
  article: 'view',

  employee: 'view',
  attendance: 'view',
  leave: 'view',
  leave_balance: 'view',
  payroll: 'view',
  acknowledgment: 'view',
  announcement: 'view',
  award: 'view',
  complaint: 'view',
  employee_transfer: 'view',
  event: 'view',
  hrm_document: 'view',
  promotion: 'view',
  resignation: 'view',
  termination: 'view',
  warning: 'view',
};

/** Nouns whose records are visible with another record: their scope has to be the same. */
const FOLLOWING: Partial<Record<Noun, Noun>> = { task: 'project', bug: 'project', milestone: 'project' };

const REACHES: readonly RecordScope[] = ['own', 'team', 'all'];
const scopeOf = ({ record_scopes }: Rights, noun: string): RecordScope => record_scopes[noun] ?? 'all';

/** Whether a role shows records of a scoped noun at all. */
function touches({ permissions }: Rights, noun: string, counts: 'view' | readonly Noun[]): boolean {
  if (counts === 'view') return permissions.includes(`${noun}.view`);
  return permissions.some((permission) => (counts as readonly string[]).includes(permission.split('.')[0]!));
}

/** The nouns of which `narrower` shows more records than `wider`. A scope that is absent is `all`. */
export const exceededScopes = (wider: Rights, narrower: Rights): string[] =>
  Object.entries(SCOPED)
    .filter(([noun, counts]) => touches(narrower, noun, counts))
    .filter(([noun]) => REACHES.indexOf(scopeOf(narrower, noun)) > REACHES.indexOf(scopeOf(wider, noun)))
    .map(([noun]) => noun);

/** @throws ScopeWithoutEffect for scopes that no service reads, or that differ from the record that they follow */
export function assertScopesHaveEffect(record_scopes: Rights['record_scopes']): void {
  const idle = Object.entries(record_scopes)
    .filter(([noun, scope]) => {
      const leader = FOLLOWING[noun as Noun];
      return leader ? (record_scopes[leader] ?? 'all') !== scope : !(noun in SCOPED);
    })
    .map(([noun]) => noun);
  if (idle.length > 0) throw ScopeWithoutEffect({ field: 'record_scopes', nouns: idle });
}
