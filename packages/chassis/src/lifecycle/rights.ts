/** Rights by state: the actions that a caller may take, as `allowed_actions` shows them and operations check them. */
import { join, raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import type { Caller } from '../identity/identity.ts';
import { isInScope, permissionsOf, scopeOf } from '../identity/permissions.ts';

/** State → verb → next state. */
export type States = Record<string, Record<string, string>>;

/** The actions of callers: a transition by the name of its verb, or an action that leaves the state as it is. */
interface ByCallers<State extends string> {
  permission: string;
  /** A further permission that it takes. */
  also?: string;
  /** The operation that does it, by its id, where that operation's `access` is about something else. */
  by?: string;
  /** For an action that is no transition: the states that allow it; all of them by default. */
  in?: readonly State[];
  /** A column that must be empty. */
  unless?: string;
  /** The condition beside the permission. */
  if?(caller: Caller, state: string): boolean;
  /** Whether it is also for records that the caller sees beyond their record scope, such as a vote on a published article. */
  shared?: boolean;
}
/** The transitions that the service makes by itself, with the operations, methods, consumers and schedules that make them. */
interface ByItself {
  by: string | readonly string[];
}
/** The actor of a transition. A permission by itself stands for callers who have it. */
export type Doer<State extends string = string> = string | ByCallers<State> | ByItself;

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
export type Actions = ReadonlyMap<string, Action>;

type Row = Readonly<Record<string, unknown>>;

/** @param from the states in which it may be done, if it does not say itself */
function actionOf(doer: Doer, from: readonly string[]): Action {
  const { by = [], ...rest }: Partial<Omit<ByCallers<string>, 'by'> & ByItself> =
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

/** The actions of a life, in the order in which they are declared. */
export const actionsOf = (table: States, doers: Readonly<Record<string, Doer>>): Actions =>
  new Map(
    Object.entries(doers).map(([name, doer]) => {
      const from = Object.keys(table).filter((state) => table[state]?.[name] !== undefined);
      return [name, actionOf(doer, from.length > 0 ? from : Object.keys(table))];
    }),
  );

const isFree = ({ unless }: Action, row: Row): boolean => unless === undefined || (row[unless] ?? null) === null;

/** Whether the state and the columns of a row leave room for an action. */
export function fits(actions: Actions, name: string, state: string, row: object): boolean {
  const action = actions.get(name);
  return action !== undefined && action.in.includes(state) && isFree(action, row as Row);
}

/** The actions that a caller may take in a state, as far as the columns of the row permit. */
function inState(actions: Actions, caller: Caller | null, state: string): [string, Action][] {
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

/** The actions that a caller may take on a row. */
export const allowedTo = (
  actions: Actions,
  caller: Caller | null,
  state: string,
  row: object,
  ownership?: Ownership,
): string[] =>
  inState(actions, caller, state)
    .filter(([, action]) => isFree(action, row as Row) && (action.shared || isOwn(caller, ownership, row as Row)))
    .map(([name]) => name);

/** The actions that a caller may take on a row, computed with the rows of a table. */
export function shownTo(
  actions: Actions,
  caller: Caller,
  { table, state, states, ownership }: { table: string; state: Sql; states: readonly string[]; ownership?: Ownership },
): Sql {
  const people = ownership && scopeOf(caller, ownership.noun);
  const own = people && sql`${raw(`${table}.${ownership.owner}`)} = ANY (${people}::uuid[])`;
  const cases = states.map((one) => {
    const found = inState(actions, caller, one);
    const words = found.map(([name, { unless, shared }]) => {
      const conditions = [...(unless ? [raw(`${table}.${unless} IS NULL`)] : []), ...(own && !shared ? [own] : [])];
      return conditions.length > 0 ? sql`CASE WHEN ${join(conditions, ' AND ')} THEN ${name} END` : undefined;
    });
    if (words.every((word) => word === undefined)) return sql`WHEN ${one} THEN ${found.map(([name]) => name)}::text[]`;
    const list = words.map((word, at) => word ?? sql`${found[at]![0]}`);
    return sql`WHEN ${one} THEN array_remove(ARRAY[${join(list)}]::text[], NULL)`;
  });
  return sql`CASE ${state} ${join(cases, ' ')} END`;
}
