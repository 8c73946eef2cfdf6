/** The view of a caller: the role of the caller's statements, and the conditions that narrow lists. */
import { raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import type { Caller } from '../identity/identity.ts';
import { permissionsOf } from '../identity/permissions.ts';
import { anyOf, type Condition, isActor, nounsIn, refersTo, withholds, write } from './condition.ts';
import type { Reach, Visibility } from './visibility.ts';

/** Works on what is true, as rules do; or on what the caller may see, as everything does that leaves the house. */
export type Sight = 'true' | 'visible';

/** The roles that statements of requests run as. */
export const ROLES: Record<Sight, string> = { true: 'suite_confined', visible: 'suite_viewer' };

/**
 * The purpose of a statement, which decides what of each kind of record it sees.
 * - `listed`: rows of lists, sums and answers
 * - `named`: the record that a path names: the permission of the operation let the caller in, without a permission to list
 * - `counted`: records that are only counted, such as the ones that keep another record from being deleted: each kind needs
 *   its permission to view
 */
export type ReachKind = 'listed' | 'named' | 'counted';

/** The view of a caller who does not see everything. */
export interface Seen {
  /** The rows that the caller sees of each kind of record, by what statements look for. */
  reach: Readonly<Record<ReachKind, Readonly<Record<string, Reach>>>>;
  /**
   * The condition that narrows a list beside the policy of its table, which is checked row by row. The caller's ids stand in it as
   * values, and the records of other tables are gathered first, so that an index serves it.
   * @param of what a list is narrowed by that is of some rows only, such as those of customers
   */
  narrowing(table: string, of?: Condition): Sql | undefined;
  /** Whether each row of this table is visible. */
  whole(table: string): boolean;
  /** Whether each row of all tables that are among these words is visible. */
  wholeAmong(words: ReadonlySet<string>): boolean;
}

/** The rights that a kind of record takes beside the scope. */
interface Kind {
  gated: boolean;
  drafted: boolean;
}

/** The kinds of record that the visibility of tables asks about, and which rights each takes. */
export function nounsOf(declared: readonly Visibility[]): Map<string, Kind> {
  const conditions = declared.flatMap((visible) => (visible.rule === 'conditions' ? [visible.conditions] : []));
  const parts = conditions.flatMap(({ all = 'TRUE', limited, none = 'FALSE' }) => [all, limited, none]);
  const kindsIn = (question: 'sees' | 'seesAll', gated: boolean) =>
    parts.flatMap((part) => nounsIn(part, question)).map((noun) => [noun, { gated, drafted: false }] as const);
  return new Map([
    ...kindsIn('seesAll', false),
    ...kindsIn('sees', true),
    ...conditions.map(({ noun, gated = true, drafted = false }) => [noun, { gated, drafted }] as const),
  ]);
}

/** @param may the caller's permissions, of which an owner has hundreds */
function reachOf(
  { kind, record_scopes }: Caller,
  may: ReadonlySet<string>,
  noun: string,
  { gated, drafted }: Kind,
): Reach {
  if (kind === 'client' || kind === 'vendor') return kind;
  // Where everybody sees what is theirs, the permission is about what others have.
  if (gated && !may.has(`${noun}.view`) && !may.has(`${noun}.view_all`)) return 'none';
  const scope = record_scopes[noun] ?? 'all';
  if (!drafted || scope !== 'all') return scope;
  return may.has(`${noun}.create`) || may.has(`${noun}.update`) ? 'all' : 'own';
}

/** The rows of a table that a caller sees. */
function conditionFor(visible: Visibility, { kind }: Caller, reach: Record<string, Reach>): Condition {
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

/** Narrows the lists of a caller, by their tables. */
function narrowingFor(tables: ReadonlyMap<string, Visibility>, caller: Caller, reach: Record<string, Reach>) {
  const { user_id, team = [] } = caller;
  const narrowing = (table: string, of?: Condition): Sql | undefined => {
    const visible = tables.get(table);
    if (!visible) return undefined;
    const noun = visible.rule === 'conditions' ? visible.conditions.noun : '';
    const people = reach[noun] === 'team' ? [...team, user_id] : [user_id];
    const byActor = (name: string) => sql`${raw(name)} = ${user_id}::uuid`;
    return write(of ?? conditionFor(visible, caller, reach), table, {
      isActor: byActor,
      // An index sorts the rows of one person, and not those of several.
      ownedBy: (name) => (people.length === 1 ? byActor(name) : sql`${raw(name)} = ANY (${people}::uuid[])`),
      linkedBy: (name, { column, links, record, person }) => {
        const linked = sql`(SELECT suite_linked(${raw(`'${links}', '${record}', '${person}'`)}, ${people}::uuid[]))`;
        const among = sql`${raw(name)} = ANY (ARRAY${linked})`;
        // Many rows can share a value of another column. A caller without links then reads no row to find that out.
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

/** Tells of a caller what he sees; nothing for somebody who sees all of everything, and for work without a caller. */
export function limits(declared: readonly Visibility[]) {
  const nouns = nounsOf(declared);
  const isPersonal = declared.some(
    (visible) =>
      visible.rule === 'mine' || (visible.rule === 'conditions' && withholds(visible.conditions.all ?? 'TRUE')),
  );
  const tables = new Map(declared.map((visible) => [visible.table, visible]));
  const find = (caller: Caller): Seen | undefined => {
    const may = permissionsOf(caller);
    const reaches = (isGated: (gated: boolean) => boolean) =>
      Object.fromEntries(
        [...nouns].map(([noun, { gated, drafted }]) => [
          noun,
          reachOf(caller, may, noun, { gated: isGated(gated), drafted }),
        ]),
      );
    const reach = reaches((gated) => gated);
    const counted = reaches(() => true);
    const isInside = caller.kind === 'owner' || caller.kind === 'staff';
    if (isInside && !isPersonal && Object.values(counted).every((each) => each === 'all')) return undefined;
    const narrowingOf = narrowingFor(tables, caller, reach);
    // A list of what follows a record names the record, and is short.
    const narrowing: Seen['narrowing'] = (table, of) =>
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
    return { reach: { listed: reach, named: reaches(() => false), counted }, narrowing, whole, wholeAmong };
  };
  // A request opens several transactions for the same caller.
  const found = new WeakMap<Caller, { seen: Seen | undefined }>();
  return (caller: Caller | null): Seen | undefined => {
    // The policies of its tables confine an instance to what is its own, and it sees all of that.
    if (!caller || caller.instance) return undefined;
    const known = found.get(caller) ?? { seen: find(caller) };
    found.set(caller, known);
    return known.seen;
  };
}
