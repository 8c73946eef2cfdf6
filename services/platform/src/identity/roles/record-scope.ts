/**
 * Record scopes that have an effect, as the services declare them for their tables (docs/visibility.md). A test
 * compares this table with the declarations.
 */
import { fault } from '@suite/chassis/faults';
import type { Noun, Permission } from './permission.ts';
import type { RecordScope, RolePermissions } from './seeded-roles.ts';

export const ScopeWithoutEffect = fault(
  422,
  'scope_without_effect',
  'A record scope has no effect. Remove it, or set it to the scope of the record that it follows.',
);

/** Nouns whose operations show accounting records. A role with one of these nouns sees such records. */
const ACCOUNTING_NOUNS = [
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
const PROJECT_NOUNS = ['project', 'task', 'bug', 'milestone', 'stage', 'report', 'time'] as const satisfies Noun[];

/**
 * Nouns with a record scope, each with the nouns and permissions whose operations open its records. A scope applies to
 * every role with at least one. Every permission of a noun opens the records that a path names, even without
 * `noun.view`. A test compares the table with the operations of the services.
 */
export const SCOPED_NOUNS: Partial<Record<Noun, readonly (Noun | Permission)[]>> = {
  apikey: ['apikey'],

  lead: ['lead'],
  deal: ['deal'],
  opportunity: ['opportunity'],
  quote: ['quote'],
  sales_order: ['sales_order'],
  proposal: ['proposal'],
  meeting: ['meeting'],

  customer: ACCOUNTING_NOUNS,
  vendor: ACCOUNTING_NOUNS,
  sales_invoice: ACCOUNTING_NOUNS,
  purchase_invoice: ACCOUNTING_NOUNS,
  sales_return: ACCOUNTING_NOUNS,
  purchase_return: ACCOUNTING_NOUNS,
  revenue: ACCOUNTING_NOUNS,
  expense: ACCOUNTING_NOUNS,
  commission: ACCOUNTING_NOUNS,

  pos_order: ['pos_order'],

  project: [...PROJECT_NOUNS, 'sales_invoice.create'],

  ticket: ['ticket'],
  faq: ['faq'],
  article: ['article'],

  employee: ['employee', 'payroll.run', 'termination.decide'],
  attendance: ['attendance'],
  leave: ['leave'],
  leave_balance: ['leave_balance'],
  payroll: ['payroll'],
  acknowledgment: ['acknowledgment'],
  announcement: ['announcement'],
  award: ['award'],
  complaint: ['complaint'],
  employee_transfer: ['employee_transfer'],
  event: ['event'],
  hrm_document: ['hrm_document'],
  promotion: ['promotion'],
  resignation: ['resignation'],
  termination: ['termination'],
  warning: ['warning'],
};

/** Nouns whose records are visible with another record. Their scopes must be identical. */
const PARENT_NOUNS: Partial<Record<Noun, Noun>> = { task: 'project', bug: 'project', milestone: 'project' };

const SCOPES_BY_SIZE: readonly RecordScope[] = ['own', 'team', 'all'];
const scopeOf = ({ record_scopes }: RolePermissions, noun: string): RecordScope => record_scopes[noun] ?? 'all';

/** Returns true if a permission opens records of a scoped noun. */
export const opensRecordsOf = (noun: string, permission: string): boolean =>
  (SCOPED_NOUNS[noun as Noun] ?? []).some((opener) => opener === permission || opener === permission.split('.')[0]);

/** Returns the nouns for which `narrower` opens more records than `wider`. A missing scope means `all`. */
export const exceededScopes = (wider: RolePermissions, narrower: RolePermissions): string[] =>
  Object.keys(SCOPED_NOUNS)
    .filter((noun) => narrower.permissions.some((permission) => opensRecordsOf(noun, permission)))
    .filter((noun) => SCOPES_BY_SIZE.indexOf(scopeOf(narrower, noun)) > SCOPES_BY_SIZE.indexOf(scopeOf(wider, noun)));

/** Returns the permissions required to change which records the holder of a role sees with the scope `team`. */
export function rightsOverTeam({ permissions, record_scopes }: RolePermissions): RolePermissions {
  const scopes = Object.keys(SCOPED_NOUNS).map(
    (noun) => [noun, record_scopes[noun] === 'team' ? 'all' : 'own'] as const,
  );
  const opened = scopes.filter(([, scope]) => scope === 'all').map(([noun]) => noun);
  return {
    permissions: permissions.filter((permission) => opened.some((noun) => opensRecordsOf(noun, permission))),
    record_scopes: Object.fromEntries(scopes),
  };
}

/**
 * Checks that record scopes have an effect. @throws ScopeWithoutEffect for a scope that no service reads, or that
 * differs from the record it follows
 */
export function assertScopesHaveEffect(record_scopes: RolePermissions['record_scopes']): void {
  const ineffective = Object.entries(record_scopes)
    .filter(([noun, scope]) => {
      const parent = PARENT_NOUNS[noun as Noun];
      return parent ? (record_scopes[parent] ?? 'all') !== scope : !(noun in SCOPED_NOUNS);
    })
    .map(([noun]) => noun);
  if (ineffective.length > 0) throw ScopeWithoutEffect({ field: 'record_scopes', nouns: ineffective });
}
