/**
 * Visibility of the rows of a table: declared once beside the table, turned into a policy of row-level security.
 *
 * Rules (limits, numbers, stock) work on what is true, whoever asks; what leaves the house is limited by who asks. So the
 * policies hold for the role `suite_viewer` only: every query reads as that role, and what a command answers does, too.
 */
import type { Condition } from './condition.ts';

/**
 * The records of a kind that a caller sees.
 * - `all`, `own`, `team`: the record scope of a member of staff who has the permission to view it
 * - `none`: a member of staff without that permission
 * - `client`, `vendor`: somebody from outside, who sees what the table gives to their kind
 */
export type Reach = 'all' | 'own' | 'team' | 'none' | 'client' | 'vendor';

/** The rows of a table that each kind of caller sees. PostgreSQL refuses tables that refer to each other in a circle. */
export interface Conditions {
  /** The noun of the permission (`lead.view`) and of the record scope. */
  noun: string;
  /**
   * Whether members of staff without the permission see none of it, whatever else they may do: so that no count or sum
   * tells them. False where the operation alone decides, as for figures that must be whole for whoever works with them.
   */
  gated?: boolean;
  /**
   * Whether those alone see all who may also create or change such records. Others who may look them up see what `limited`
   * says, whatever their scope: what is published, and not what is being written.
   */
  drafted?: boolean;
  /** The rows for the scope all; every row by default. */
  all?: Condition;
  /** The rows for the scopes own and team. */
  limited: Condition;
  /** The rows that members of staff see without the permission to view it, such as their own; none by default. */
  none?: Condition;
  /** The rows that a client sees; none by default. */
  client?: Condition;
  /** The rows that a vendor sees; none by default. */
  vendor?: Condition;
}

export type Visibility = {
  table: string;
} & (
  | { rule: 'conditions'; conditions: Conditions }
  /** Visible to whom one of its parents is: `{ lead_id: 'leads', deal_id: 'deals' }`. */
  | { rule: 'follows'; parents: Readonly<Record<string, string>>; outsiders: boolean }
  /** Visible to every member of staff whose operation reads it, and to outsiders as the conditions say. */
  | { rule: 'staff'; staff: Condition; client: Condition; vendor: Condition }
  /** Visible to one user alone, whose id is in the column. */
  | { rule: 'mine'; column: string }
  | { rule: 'everybody' | 'shared' | 'nobody' }
);

/** Records of which some see all and others only theirs. */
export const visibility = (table: string, conditions: Conditions): Visibility => ({
  table,
  rule: 'conditions',
  conditions,
});

/**
 * Rows that belong to a record, and are visible to whom the record is.
 * @param parents the column that names the record, and the record's table; one of several is set
 * @param options.outsiders whether clients and vendors see them, too; notes and costs stay inside
 */
export const follows = (
  table: string,
  parents: Readonly<Record<string, string>>,
  { outsiders = false } = {},
): Visibility => ({ table, rule: 'follows', parents, outsiders });

/** Rows that every member of staff may see whose operation reads them, and nobody from outside. */
export const staffOnly = (...tables: string[]): Visibility[] => tables.map((table) => staffAnd(table, {}));

/** The same, and rows that outsiders see beside them. @param options.staff what narrows it for staff, if anything does */
export const staffAnd = (
  table: string,
  { staff = 'TRUE', client = 'FALSE', vendor = 'FALSE' }: { staff?: Condition; client?: Condition; vendor?: Condition },
): Visibility => ({ table, rule: 'staff', staff, client, vendor });

/** Rows that only the user sees whom they belong to. @param column the column that holds his id */
export const mine = (table: string, column: string): Visibility => ({ table, rule: 'mine', column });

/** Rows that everybody in the workspace may see: names of stages, of colleagues. */
export const everybody = (...tables: string[]): Visibility[] => tables.map((table) => ({ table, rule: 'everybody' }));

/** Tables without a workspace, the same for all: plans. */
export const shared = (...tables: string[]): Visibility[] => tables.map((table) => ({ table, rule: 'shared' }));

/** Tables that no query reads: secrets, and tables of the machinery. */
export const nobody = (...tables: string[]): Visibility[] => tables.map((table) => ({ table, rule: 'nobody' }));
