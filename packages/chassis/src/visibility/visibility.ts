/**
 * Visibility of the rows of a table: declared once next to the table, and turned into a policy of row-level security.
 *
 * Rules (limits, numbers, stock) use all data, regardless of the caller. Responses are limited to what the caller may
 * see. The policies therefore apply to the role `suite_viewer` only. Every query reads with that role, and so does the
 * response of a command.
 */
import type { Condition } from './condition.ts';

/**
 * Records of a kind that a caller sees.
 * - `all`, `own`, `team`: the record scope of a member of staff who has the permission to view it
 * - `none`: a member of staff without that permission
 * - `client`, `vendor`: an external user, who sees what the table opens to their kind
 */
export type RecordScope = 'all' | 'own' | 'team' | 'none' | 'client' | 'vendor';

/** The rows of a table that each kind of caller sees. PostgreSQL rejects circular references between tables. */
export interface VisibilityConditions {
  /** The noun of the permission (`lead.view`) and of the record scope. */
  noun: string;
  /**
   * True if members of staff without the permission see no such records, regardless of their other permissions. No
   * count or sum then reveals them. False if the operation alone decides, for example for totals that must be complete
   * for every user.
   */
  gated?: boolean;
  /**
   * True if only callers who may also create or change such records see the whole kind. Other callers who may view them
   * see the rows of `limited`, regardless of their scope: published records but no drafts.
   */
  drafted?: boolean;
  /** The condition for the record scope `all`. Defaults to every row. */
  all?: Condition;
  /** The condition for the record scopes `own` and `team`. */
  limited: Condition;
  /** The condition for staff without the view permission, such as their own records. Defaults to no rows. */
  none?: Condition;
  /** The condition for clients. Defaults to no rows. */
  client?: Condition;
  /** The condition for vendors. Defaults to no rows. */
  vendor?: Condition;
}

export type Visibility = {
  table: string;
} & (
  | { rule: 'conditions'; conditions: VisibilityConditions }
  /** Visible to callers who see one of its parents: `{ lead_id: 'leads', deal_id: 'deals' }`. */
  | { rule: 'follows'; parents: Readonly<Record<string, string>>; outsiders: boolean }
  /** Visible to all staff with access to the operation, and to clients and vendors by these conditions. */
  | { rule: 'staff'; staff: Condition; client: Condition; vendor: Condition }
  /** Visible only to the user whose ID is in the column. */
  | { rule: 'mine'; column: string }
  | { rule: 'everybody' | 'shared' | 'nobody' }
);

/** Records that some callers see completely, and other callers only in part. */
export const visibility = (table: string, conditions: VisibilityConditions): Visibility => ({
  table,
  rule: 'conditions',
  conditions,
});

/**
 * Returns the visibility rule of rows that belong to a record: they are visible to callers who see the record.
 * @param parents the column that refers to the record, and the record's table. One of several is set
 * @param options.outsiders whether clients and vendors also see them. False for notes and costs
 */
export const follows = (
  table: string,
  parents: Readonly<Record<string, string>>,
  { outsiders = false } = {},
): Visibility => ({ table, rule: 'follows', parents, outsiders });

/** Rows for every member of staff whose operation reads them, but not for clients and vendors. */
export const staffOnly = (...tables: string[]): Visibility[] => tables.map((table) => staffAnd(table, {}));

/**
 * The same, with rows that clients or vendors also see. @param options.staff condition that narrows the rows for staff,
 * if any
 */
export const staffAnd = (
  table: string,
  { staff = 'TRUE', client = 'FALSE', vendor = 'FALSE' }: { staff?: Condition; client?: Condition; vendor?: Condition },
): Visibility => ({ table, rule: 'staff', staff, client, vendor });

/** Rows that only their user sees. @param column the column that contains the user's ID */
export const ownRows = (table: string, column: string): Visibility => ({ table, rule: 'mine', column });

/** Rows that all users of the workspace may see: names of stages and users. */
export const allUsers = (...tables: string[]): Visibility[] => tables.map((table) => ({ table, rule: 'everybody' }));

/** Returns the rule for tables without a workspace, the same for all callers, such as plans. */
export const shared = (...tables: string[]): Visibility[] => tables.map((table) => ({ table, rule: 'shared' }));

/** Returns the rule for tables that no query reads: secrets and internal tables. */
export const hidden = (...tables: string[]): Visibility[] => tables.map((table) => ({ table, rule: 'nobody' }));
