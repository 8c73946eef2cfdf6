/** A caller's view of the database: the role of their statements, and the conditions that limit lists. */
import { raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import type { Caller } from '../identity/identity.ts';
import { permissionsOf } from '../identity/permissions.ts';
import { anyOf, type Condition, isActor, nounsIn, refersTo, hidesRows, conditionSql } from './condition.ts';
import type { RecordScope, Visibility } from './visibility.ts';

/**
 * The visibility mode: `true` for unrestricted data, as in rules, or `visible` for what the caller may see, as in every
 * response.
 */
export type VisibilityMode = 'true' | 'visible';

/** The database roles of requests. */
export const ROLES: Record<VisibilityMode, string> = { true: 'suite_confined', visible: 'suite_viewer' };

/**
 * The purpose of a statement, which determines the visible records of each kind.
 * - `listed`: rows of lists, sums and responses
 * - `named`: the record in the path: the permission of the operation is sufficient, without a permission to list
 * - `counted`: records that are only counted, such as the records that prevent a deletion: each kind needs its view
 *   permission
 */
export type RecordScopeKind = 'listed' | 'named' | 'counted';

/** The view of a caller with restricted visibility. */
export interface CallerView {
  /** The record scope for each kind of record, by the purpose of the statement. */
  reach: Readonly<Record<RecordScopeKind, Readonly<Record<string, RecordScope>>>>;
  /**
   * Returns the condition that narrows a list, in addition to the policy of its table, which is checked row by row. It
   * contains the caller's IDs as values, and collects the records of other tables first, so that an index serves it.
   * @param of condition for only some rows of the list, such as the rows of customers
   */
  narrowing(table: string, of?: Condition): Sql | undefined;
  /** Returns the whole condition for the rows of a table, for rows that are no longer in it. Undefined if every row is visible. */
  condition(table: string): Sql | undefined;
  /** Returns true if every row of this table is visible. */
  whole(table: string): boolean;
  /** Returns true if every row of all tables among these words is visible. */
  wholeAmong(words: ReadonlySet<string>): boolean;
}

/** Permissions that a kind of record requires in addition to the scope. */
interface KindPermissions {
  gated: boolean;
  drafted: boolean;
  /** True if rules ask only for the record scope of this kind, never for its records. */
  scope_only?: boolean;
}

/** Returns the kinds of record in the visibility rules, with the permissions that each requires. */
export function nounsOf(declared: readonly Visibility[]): Map<string, KindPermissions> {
  const conditions = declared.flatMap((visible) => (visible.rule === 'conditions' ? [visible.conditions] : []));
  const parts = conditions.flatMap(({ all = 'TRUE', limited, none = 'FALSE' }) => [all, limited, none]);
  const kindsIn = (question: 'sees' | 'seesAll', kind: KindPermissions) =>
    parts.flatMap((part) => nounsIn(part, question)).map((noun) => [noun, kind] as const);
  return new Map<string, KindPermissions>([
    ...kindsIn('seesAll', { gated: false, drafted: false, scope_only: true }),
    ...kindsIn('sees', { gated: true, drafted: false }),
    ...conditions.map(({ noun, gated = true, drafted = false }) => [noun, { gated, drafted }] as const),
  ]);
}

/** @param may the caller's permissions. An owner has hundreds */
function reachOf(
  { kind, record_scopes }: Caller,
  may: ReadonlySet<string>,
  noun: string,
  { gated, drafted }: KindPermissions,
): RecordScope {
  if (kind === 'client' || kind === 'vendor') return kind;
  // For kinds that every user sees their own records of, the permission concerns the records of others.
  if (gated && !may.has(`${noun}.view`) && !may.has(`${noun}.view_all`)) return 'none';
  const scope = record_scopes[noun] ?? 'all';
  if (!drafted || scope !== 'all') return scope;
  return may.has(`${noun}.create`) || may.has(`${noun}.update`) ? 'all' : 'own';
}

/** Returns the condition for the rows of a table that a caller sees. */
function conditionFor(visible: Visibility, { kind }: Caller, reach: Record<string, RecordScope>): Condition {
  const isInside = kind === 'owner' || kind === 'staff';
  if (visible.rule === 'mine') return isActor(visible.column);
  if (visible.rule === 'staff') return isInside ? visible.staff : visible[kind];
  if (visible.rule === 'follows') {
    const parents = Object.entries(visible.parents).map(([column, table]) => refersTo(column, table));
    return isInside || visible.outsiders ? anyOf(...parents) : 'FALSE';
  }
  if (visible.rule !== 'conditions') return 'TRUE';
  const { noun, all = 'TRUE', limited, none = 'FALSE', client = 'FALSE', vendor = 'FALSE' } = visible.conditions;
  return { all, own: limited, team: limited, none, client, vendor }[reach[noun] ?? 'none'];
}

/** Returns the conditions that limit a caller's lists, by table. */
function narrowingFor(tables: ReadonlyMap<string, Visibility>, caller: Caller, reach: Record<string, RecordScope>) {
  const { user_id, team = [] } = caller;
  const narrowing = (table: string, of?: Condition): Sql | undefined => {
    const visible = tables.get(table);
    if (!visible) return undefined;
    const noun = visible.rule === 'conditions' ? visible.conditions.noun : '';
    const people = reach[noun] === 'team' ? [...team, user_id] : [user_id];
    const byActor = (name: string) => sql`${raw(name)} = ${user_id}::uuid`;
    return conditionSql(of ?? conditionFor(visible, caller, reach), table, {
      isActor: byActor,
      // An index sorts the rows of one user, but not the rows of several.
      ownedBy: (name) => (people.length === 1 ? byActor(name) : sql`${raw(name)} = ANY (${people}::uuid[])`),
      linkedBy: (name, { column, links, record, user }) => {
        const linked = sql`(SELECT suite_linked(${raw(`'${links}', '${record}', '${user}'`)}, ${people}::uuid[]))`;
        const among = sql`${raw(name)} = ANY (ARRAY${linked})`;
        // Many rows can share a value of another column. The EXISTS condition avoids reading rows for a caller without
        // links.
        return column === 'id' ? among : sql`(EXISTS ${linked} AND ${among})`;
      },
      refersTo: (name, { table: other, key }) => {
        const rows = narrowing(other);
        return rows && sql`${raw(name)} = ANY (ARRAY(SELECT ${raw(`${other}.${key} FROM ${other}`)} WHERE ${rows}))`;
      },
      sees: (other) => (reach[other] === 'none' ? raw('FALSE') : undefined),
      seesAll: (other) => (reach[other] === 'all' ? undefined : raw('FALSE')),
      among: (name, ids) =>
        reach[noun] === 'all'
          ? undefined
          : sql`${raw(name)} = ANY ((SELECT ${raw(ids)}(${reach[noun] ?? 'none'}))::uuid[])`,
      notAmong: (name, ids) =>
        sql`(${raw(name)} IS NULL OR ${raw(name)} <> ALL ((SELECT ${raw(ids)}(${reach[noun] ?? 'none'}))::uuid[]))`,
    });
  };
  return narrowing;
}

/**
 * Returns the limits of a caller's view. Returns undefined for a caller who sees everything, and for work without a
 * caller.
 */
export function callerViews(declared: readonly Visibility[]) {
  const nouns = nounsOf(declared);
  const isPersonal = declared.some(
    (visible) =>
      visible.rule === 'mine' || (visible.rule === 'conditions' && hidesRows(visible.conditions.all ?? 'TRUE')),
  );
  const tables = new Map(declared.map((visible) => [visible.table, visible]));
  const find = (caller: Caller): CallerView | undefined => {
    const may = permissionsOf(caller);
    const reaches = (isGated: (kind: KindPermissions) => boolean) =>
      Object.fromEntries(
        [...nouns].map(([noun, kind]) => [
          noun,
          reachOf(caller, may, noun, { gated: isGated(kind), drafted: kind.drafted }),
        ]),
      );
    const reach = reaches(({ gated }) => gated);
    const counted = reaches(({ scope_only }) => !scope_only);
    const isInside = caller.kind === 'owner' || caller.kind === 'staff';
    if (isInside && !isPersonal && Object.values(counted).every((each) => each === 'all')) return undefined;
    const narrowingOf = narrowingFor(tables, caller, reach);
    // A list of rows that follow a record is limited to one record, and is short.
    const narrowing: CallerView['narrowing'] = (table, of) =>
      tables.get(table)?.rule === 'follows' ? undefined : narrowingOf(table, of);
    const whole = (table: string): boolean => {
      const visible = tables.get(table);
      if (visible?.rule === 'conditions')
        return visible.conditions.all === undefined && reach[visible.conditions.noun] === 'all';
      if (visible?.rule === 'follows') return isInside && Object.values(visible.parents).every(whole);
      return visible?.rule === 'everybody' || (visible?.rule === 'staff' && isInside && visible.staff === 'TRUE');
    };
    const narrow = [...tables.keys()].filter((table) => !whole(table));
    const wholeAmong = (words: ReadonlySet<string>) => !narrow.some((table) => words.has(table));
    const condition = (table: string) => narrowingOf(table);
    return { reach: { listed: reach, named: reaches(() => false), counted }, narrowing, condition, whole, wholeAmong };
  };
  // Cached views. A request opens several transactions for the same caller.
  const found = new WeakMap<Caller, { seen: CallerView | undefined }>();
  return (caller: Caller | null): CallerView | undefined => {
    // The policies of its tables limit an instance to its own rows. It sees all its own rows.
    if (!caller || caller.instance) return undefined;
    const known = found.get(caller) ?? { seen: find(caller) };
    found.set(caller, known);
    return known.seen;
  };
}
