/** Permissions by state: the actions of a caller, as shown in `allowed_actions` and checked by operations. */
import { join, raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import type { Caller } from '../identity/identity.ts';
import { isInScope, permissionsOf, scopeOf } from '../identity/permissions.ts';

/** State → verb → next state. */
export type States = Record<string, Record<string, string>>;

/** Actions of callers: a transition by the name of its verb, or an action that does not change the state. */
interface CallerActions<State extends string> {
  permission: string;
  /** An additional required permission. */
  also?: string;
  /** The ID of the operation that performs the action, if that operation's `access` declares something else. */
  by?: string;
  /** The states that allow an action that is not a transition. Defaults to all states. */
  in?: readonly State[];
  /** A column that must be empty or false. */
  unless?: string;
  /** Condition in addition to the permission. */
  if?(caller: Caller, state: string): boolean;
  /** True if the action also applies to records beyond the record scope, such as a vote on a published article. */
  shared?: boolean;
}
/**
 * Transitions that the service makes automatically, with the operations, methods, consumers and schedules that make
 * them.
 */
interface AutomaticTransition {
  by: string | readonly string[];
}
/** Actor of a transition. A plain permission means the callers who have it. */
export type TransitionActor<State extends string = string> = string | CallerActions<State> | AutomaticTransition;

/** An action of a caller or of the service. */
export interface Action {
  permission: string | undefined;
  also: string | undefined;
  by: readonly string[];
  in: readonly string[];
  unless: string | undefined;
  shared: boolean;
  if(caller: Caller, state: string): boolean;
}
export type ActionMap = ReadonlyMap<string, Action>;

type Row = Readonly<Record<string, unknown>>;

/** Returns the action of a doer. @param from the states that allow it, unless the doer specifies them */
function actionOf(doer: TransitionActor, from: readonly string[]): Action {
  const { by = [], ...rest }: Partial<Omit<CallerActions<string>, 'by'> & AutomaticTransition> =
    typeof doer === 'string' ? { permission: doer } : doer;
  return {
    permission: rest.permission,
    also: rest.also,
    by: typeof by === 'string' ? [by] : by,
    in: rest.in ?? from,
    unless: rest.unless,
    shared: rest.shared ?? false,
    if: rest.if ?? (() => true),
  };
}

/** Returns the actions of a lifecycle in the order of their declaration. */
export const actionsOf = (table: States, doers: Readonly<Record<string, TransitionActor>>): ActionMap =>
  new Map(
    Object.entries(doers).map(([name, doer]) => {
      const from = Object.keys(table).filter((state) => table[state]?.[name] !== undefined);
      return [name, actionOf(doer, from.length > 0 ? from : Object.keys(table))];
    }),
  );

const isFree = ({ unless }: Action, row: Row): boolean => unless === undefined || (row[unless] ?? false) === false;

/** Returns true if the state and the columns of a row allow an action. */
export function isPossible(actions: ActionMap, name: string, state: string, row: object): boolean {
  const action = actions.get(name);
  return action !== undefined && action.in.includes(state) && isFree(action, row as Row);
}

/** Returns the actions that a caller may perform in a state. The columns of the row can restrict these further. */
function inState(actions: ActionMap, caller: Caller | null, state: string): [string, Action][] {
  if (!caller) return [];
  const may = permissionsOf(caller);
  return [...actions].filter(
    ([, { permission, also, in: states, if: more }]) =>
      permission !== undefined &&
      states.includes(state) &&
      may.has(permission) &&
      (also === undefined || may.has(also)) &&
      more(caller, state),
  );
}

/** The record scope that limits the actions on records that others own. */
export interface Ownership {
  /** The noun of the record scope. */
  noun: string;
  /** The column with the user to whom the scope ascribes a record. */
  owner: string;
}

const isOwn = (caller: Caller | null, ownership: Ownership | undefined, row: Row): boolean =>
  !caller || !ownership || isInScope(caller, ownership.noun, row[ownership.owner] as string | null);

/** Returns the actions that a caller may perform on a row. */
export const allowedActions = (
  actions: ActionMap,
  caller: Caller | null,
  state: string,
  row: object,
  ownership?: Ownership,
): string[] =>
  inState(actions, caller, state)
    .filter(([, action]) => isFree(action, row as Row) && (action.shared || isOwn(caller, ownership, row as Row)))
    .map(([name]) => name);

/** The actions that a caller may take on a row, computed with the rows of a table. */
export function actionsSql(
  actions: ActionMap,
  caller: Caller,
  { table, state, states, ownership }: { table: string; state: Sql; states: readonly string[]; ownership?: Ownership },
): Sql {
  const people = ownership && scopeOf(caller, ownership.noun);
  const own = people && sql`${raw(`${table}.${ownership.owner}`)} = ANY (${people}::uuid[])`;
  const cases = states.map((one) => {
    const found = inState(actions, caller, one);
    const words = found.map(([name, { unless, shared }]) => {
      const conditions = [
        ...(unless ? [raw(`coalesce(${table}.${unless}::text, 'false') = 'false'`)] : []),
        ...(own && !shared ? [own] : []),
      ];
      return conditions.length > 0 ? sql`CASE WHEN ${join(conditions, ' AND ')} THEN ${name} END` : undefined;
    });
    if (words.every((word) => word === undefined)) return sql`WHEN ${one} THEN ${found.map(([name]) => name)}::text[]`;
    const list = words.map((word, at) => word ?? sql`${found[at]![0]}`);
    return sql`WHEN ${one} THEN array_remove(ARRAY[${join(list)}]::text[], NULL)`;
  });
  return sql`CASE ${state} ${join(cases, ' ')} END`;
}
