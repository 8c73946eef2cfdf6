/**
 * Who may see the rows of a table: declared once beside the table, turned into a policy of row-level security.
 *
 * Rules (limits, numbers, stock) work on what is true, whoever asks; what leaves the house is limited by who asks. So the
 * policies hold for the role `suite_viewer` only: every query reads as that role, and what a command answers does, too.
 */
import type { Caller } from '../runtime/identity.ts';

/**
 * What a caller sees of a kind of record.
 * - `all`, `own`, `team`: the record scope of a member of staff who has the permission to view it
 * - `none`: a member of staff without that permission
 * - `client`, `vendor`: somebody from outside, who sees what the table gives to their kind
 */
export type Reach = 'all' | 'own' | 'team' | 'none' | 'client' | 'vendor';

/**
 * Conditions in SQL that end the sentence "a row is visible when …". Columns carry the name of their table. Words in them:
 * `people` is the array of the users whose records the caller may see (himself, or his team), `actor` is the caller.
 * Another table named in a condition is seen through its own visibility; a circle of tables is refused by PostgreSQL, so
 * what links a record with people is named by `linked`.
 */
export interface Conditions {
  /** The noun of the permission (`lead.view`) and of the record scope. */
  noun: string;
  /**
   * Whether members of staff without the permission see none of it, whatever else they may do: so that no count or sum
   * tells them. False where the operation alone decides, as for figures that must be whole for whoever works with them.
   */
  gated?: boolean;
  /** Which rows somebody sees whose scope is all; every row, when it is not given. */
  all?: string;
  /** Which rows somebody sees whose scope is own or team. */
  limited: string;
  /** Which rows a client sees; none, when it is not given. */
  client?: string;
  /** Which rows a vendor sees; none, when it is not given. */
  vendor?: string;
}

export type Visibility = {
  table: string;
} & (
  | { rule: 'conditions'; conditions: Conditions }
  /** Visible to whom one of its parents is: `{ lead_id: 'leads', deal_id: 'deals' }`. */
  | { rule: 'follows'; parents: Readonly<Record<string, string>>; outsiders: boolean }
  /** Visible to every member of staff whose operation reads it, and to outsiders as the conditions say. */
  | { rule: 'staff'; staff: string; client: string; vendor: string }
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
  { staff = 'TRUE', client = 'FALSE', vendor = 'FALSE' }: { staff?: string; client?: string; vendor?: string },
): Visibility => ({ table, rule: 'staff', staff, client, vendor });

/** Rows that only the user sees whom they belong to. @param column the column that holds his id */
export const mine = (table: string, column: string): Visibility => ({ table, rule: 'mine', column });

/** Rows that everybody in the workspace may see: names of stages, of colleagues. */
export const everybody = (...tables: string[]): Visibility[] => tables.map((table) => ({ table, rule: 'everybody' }));

/** Tables without a workspace, the same for all: plans. */
export const shared = (...tables: string[]): Visibility[] => tables.map((table) => ({ table, rule: 'shared' }));

/** What no query reads: secrets, and what the machinery notes for itself. */
export const nobody = (...tables: string[]): Visibility[] => tables.map((table) => ({ table, rule: 'nobody' }));

/** The records that a table of links ties to people: `leads.id IN (…)`. It is read past the visibility of the links. */
export const linked = (table: string, record: string, person: string, people: 'people' | 'actor' = 'people'): string =>
  `(SELECT suite_linked('${table}', '${record}', '${person}', ${people === 'actor' ? 'ARRAY[actor]' : 'people'}))`;

const inSql = (condition: string, noun: string): string =>
  condition
    .replaceAll(/\bpeople\b/g, `(SELECT suite_people('${noun}'))::uuid[]`)
    .replaceAll(/\bactor\b/g, '(SELECT suite_actor_id())');

const REACH = (noun: string) => `(SELECT suite_reach('${noun}'))`;

/** The condition of a table's policy. */
export function policyOf(visible: Visibility): string | undefined {
  const { table, rule } = visible;
  if (rule === 'everybody') return 'TRUE';
  if (rule === 'mine') return inSql(`${visible.column} = actor`, '');
  if (rule === 'staff') {
    const { staff, client, vendor } = visible;
    if (staff === 'TRUE' && client === 'FALSE' && vendor === 'FALSE') return '(SELECT suite_is_staff())';
    return `CASE (SELECT suite_kind()) WHEN 'client' THEN ${inSql(client, '')} WHEN 'vendor' THEN ${inSql(vendor, '')} ELSE ${staff} END`;
  }
  if (rule === 'follows') {
    const parents = Object.entries(visible.parents).map(
      ([column, parent]) => `EXISTS (SELECT FROM ${parent} WHERE ${parent}.id = ${table}.${column})`,
    );
    const any = parents.length > 1 ? `(${parents.join(' OR ')})` : parents[0]!;
    return visible.outsiders ? any : `(SELECT suite_is_staff()) AND ${any}`;
  }
  if (rule !== 'conditions') return undefined;
  const { noun, all = 'TRUE', limited, client = 'FALSE', vendor = 'FALSE' } = visible.conditions;
  // What nobody names is none of his: an empty setting shows nothing.
  const cases = Object.entries({ all, own: limited, team: limited, client, vendor })
    .filter(([, condition]) => condition !== 'FALSE')
    .map(([reach, condition]) => `WHEN '${reach}' THEN ${inSql(condition, noun)}`);
  return `CASE ${REACH(noun)} ${cases.join(' ')} ELSE FALSE END`;
}

/** Works on what is true, as rules do; or on what the caller may see, as everything does that leaves the house. */
export type Sight = 'true' | 'visible';

/** The roles that statements of requests run as. */
export const ROLES: Record<Sight, string> = { true: 'suite_confined', visible: 'suite_viewer' };

/** What a caller sees who does not see everything. */
export interface Seen {
  reach: Record<string, Reach>;
  /** The same of a record that a path names: the operation's own permission let the caller in, whether he may list or not. */
  reach_of_named: Record<string, Reach>;
  /** What narrows a list of this table beside its policy. */
  hint(table: string): string | undefined;
  /** Whether each row of this table is visible. */
  whole(table: string): boolean;
  /** Whether each row of all tables that are among these words is visible. */
  wholeAmong(words: ReadonlySet<string>): boolean;
}

/** The kinds of record that a service's visibility speaks of. */
function nounsOf(declared: readonly Visibility[]): Map<string, { gated: boolean }> {
  const conditions = declared.flatMap((visible) => (visible.rule === 'conditions' ? [visible.conditions] : []));
  const others = conditions
    .flatMap(({ all = '', limited }) => [all, limited])
    .flatMap((text) => [...text.matchAll(/suite_reach\('(\w+)'\)/g)])
    .map(([, noun]) => [noun!, { gated: true }] as const);
  return new Map([...others, ...conditions.map(({ noun, gated = true }) => [noun, { gated }] as const)]);
}

function reachOf({ kind, permissions, record_scopes }: Caller, noun: string, gated: boolean): Reach {
  if (kind === 'client' || kind === 'vendor') return kind;
  return gated && !permissions.includes(`${noun}.view`) ? 'none' : (record_scopes[noun] ?? 'all');
}

/**
 * What narrows a list beside the policy, so that an index can serve it: a policy alone is looked at row by row. Nothing
 * where the policy says no more than yes.
 */
function hintOf(
  { noun, all, limited, client = 'FALSE', vendor = 'FALSE' }: Conditions,
  reach: Reach,
): string | undefined {
  const condition = { all, own: limited, team: limited, client, vendor, none: 'FALSE' }[reach];
  return condition && inSql(condition, noun);
}

/** Tells of a caller what he sees; nothing for somebody who sees all of everything, and for work without a caller. */
export function limits(declared: readonly Visibility[]) {
  const nouns = nounsOf(declared);
  const isPersonal = declared.some(({ rule }) => rule === 'mine');
  const tables = new Map(declared.map((visible) => [visible.table, visible]));
  const find = (caller: Caller): Seen | undefined => {
    const reaches = (isGated: boolean) =>
      Object.fromEntries([...nouns].map(([noun, { gated }]) => [noun, reachOf(caller, noun, gated && isGated)]));
    const reach = reaches(true);
    const isInside = caller.kind === 'owner' || caller.kind === 'staff';
    if (isInside && !isPersonal && Object.values(reach).every((each) => each === 'all')) return undefined;
    const hint = (table: string) => {
      const visible = tables.get(table);
      if (visible?.rule !== 'conditions') return undefined;
      const { conditions } = visible;
      return hintOf(conditions, reach[conditions.noun] ?? 'none');
    };
    const whole = (table: string): boolean => {
      const visible = tables.get(table);
      if (visible?.rule === 'conditions')
        return visible.conditions.all === undefined && reach[visible.conditions.noun] === 'all';
      if (visible?.rule === 'follows') return isInside && Object.values(visible.parents).every(whole);
      return visible?.rule === 'everybody' || (visible?.rule === 'staff' && isInside && visible.staff === 'TRUE');
    };
    const narrow = [...tables.keys()].filter((table) => !whole(table));
    const wholeAmong = (words: ReadonlySet<string>) => !narrow.some((table) => words.has(table));
    return { reach, reach_of_named: reaches(false), hint, whole, wholeAmong };
  };
  // A request opens several transactions for the same caller.
  const found = new WeakMap<Caller, { seen: Seen | undefined }>();
  return (caller: Caller | null): Seen | undefined => {
    if (!caller) return undefined;
    const known = found.get(caller) ?? { seen: find(caller) };
    found.set(caller, known);
    return known.seen;
  };
}

/** The statements that make the policies; `npm run generate` writes them to prisma/visibility.sql. */
export function visibilitySql(declared: readonly Visibility[]): string {
  const lines = declared.map((visible) => {
    const { table, rule } = visible;
    if (rule === 'nobody') return `SELECT suite_visible_to_nobody('${table}');`;
    if (rule === 'shared') return `GRANT SELECT ON ${table} TO suite_viewer;`;
    return `SELECT suite_visible('${table}', $$${policyOf(visible)}$$);`;
  });
  return [
    '-- Written by "npm run generate" from the declared visibility of the tables. Applied after the migrations, again when it changes.',
    ...lines,
    `SELECT suite_assert_visibility(ARRAY[${declared.map(({ table }) => `'${table}'`).join(', ')}]);`,
    '',
  ].join('\n');
}
