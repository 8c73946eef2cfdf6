/** Lifecycles: the states of a record, the transitions between states, and who makes each transition. */
import { join, raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import { InvalidTransition, NotFound } from '../runtime/fault.ts';
import type { Caller } from '../identity/identity.ts';
import { assertInScope } from '../identity/permissions.ts';
import {
  type Action,
  actionsOf,
  allowedActions,
  type TransitionActor,
  isPossible,
  actionsSql,
  type States,
} from './rights.ts';

type Verb<S extends States> = { [K in keyof S]: keyof S[K] & string }[keyof S];
type CheckedStates<S extends States> = {
  [K in keyof S]: { [V in keyof S[K]]: S[K][V] extends keyof S ? S[K][V] : never };
};
/** The actions of callers. */
type Words<D> = { [K in keyof D]: D[K] extends string | { permission: string } ? K : never }[keyof D] & string;

type Row = Readonly<Record<string, unknown>>;
interface Table {
  updateMany(query: never): Promise<{ count: number }>;
  findFirst(query: never): PromiseLike<Row | null>;
}

/** The lifecycle actions that an operation performs. */
export interface PerformedActions {
  noun: string;
  actions: readonly string[];
}

/** States that are derived from other rows, without an action. */
interface DerivedStates<State extends string = string> {
  among: readonly State[];
  /** The source of the derived states, for readers of the diagram. */
  from: string;
}

/** A transition in plain SQL: `UPDATE … SET ${set}, … WHERE … AND ${guard}`. */
export interface Transition {
  set: Sql;
  guard: Sql;
}

/** A lifecycle, for diagrams in the docs and checks at start. */
export interface LifecycleDiagram {
  noun: string;
  /** State → verb → next state. */
  table: States;
  derived: DerivedStates | undefined;
  /** The column with the user to whom a record scope ascribes a record. Null where the view limits the actions itself. */
  owner: string | null | undefined;
  actions: ReadonlyMap<string, Action>;
}

export interface Lifecycle<S extends States = States, A extends string = string> extends LifecycleDiagram {
  states: (keyof S & string)[];
  /** The column with the state. */
  column: string;
  /** The actions of callers. */
  words: readonly A[];
  /** The columns that the actions of a row depend on. */
  reads: readonly string[];
  /** Returns the transitions out of this state, regardless of the actor. */
  allowed(state: string): Verb<S>[];
  /** Opens an operation to callers who may perform these actions, and declares that it performs them. */
  can(...actions: A[]): { kind: 'permission'; permission: string; also?: string; does: PerformedActions };
  /** Returns the actions that a caller may perform on a row, as in `allowed_actions`. */
  allowedTo(caller: Caller | null, row: object): string[];
  /**
   * Returns the same actions as SQL, computed with the rows of a table. @param state the state expression, if it is not
   * a column
   */
  shownTo(caller: Caller, table: string, state?: Sql): Sql;
  /** Returns true if the state and the columns of a row allow an action. */
  fits(action: A, row: object): boolean;
  /** Rejects changes to a record that the caller sees only because it is published. @throws Forbidden */
  assertInScope(row: object, caller: Caller): void;
  /** Rejects an action that the row does not allow. @throws InvalidTransition */
  assertFits(action: A, row: object, caller: Caller | null): void;
  /**
   * Moves one row to its next state. The guard is in the update itself, so that two callers cannot both win.
   * @param caller an error lists the actions that this caller may perform instead, as in `allowed_actions`
   * @returns false if the row is already in the target state: nothing happened, and no event must be emitted
   * @throws NotFound, InvalidTransition (`from`, `action`, `allowed`)
   */
  move(rows: object, id: string, verb: Verb<S>, patch?: object, caller?: Caller | null): Promise<boolean>;
  /** Returns the transition for a statement in plain SQL. @param alias the statement's name for the rows */
  moving(verb: Verb<S>, alias?: string): Transition;
  /** Returns the transition between derived states. @param state expression for the new state */
  deriving(state: Sql, alias: string): Transition;
}

/**
 * Returns the source states and the target state of each verb. @throws for a verb with two targets, which no single
 * update can reach
 */
function transitionsOf(noun: string, table: States): ReadonlyMap<string, { from: string[]; to: string }> {
  const arrows = new Map<string, { from: string[]; to: string }>();
  for (const [from, verbs] of Object.entries(table)) {
    for (const [verb, to] of Object.entries(verbs)) {
      const known = arrows.get(verb) ?? { from: [], to };
      if (known.to !== to)
        throw new Error(`${noun}: ${verb} leads to both ${known.to} and ${to}. Use two action names.`);
      known.from.push(from);
      arrows.set(verb, known);
    }
  }
  return arrows;
}

/** Builds the access rule of an operation from the actions of a lifecycle. */
const accessRules =
  (noun: string, actions: ReadonlyMap<string, Action>) =>
  (...names: string[]) => {
    const [permission, ...others] = new Set(names.map((name) => actions.get(name)?.permission));
    const [also, ...further] = new Set(names.map((name) => actions.get(name)?.also));
    if (permission === undefined || others.length > 0 || further.length > 0)
      throw new Error(`${noun}: ${names.join(', ')} must require the same permission.`);
    return { kind: 'permission', permission, ...(also && { also }), does: { noun, actions: names } } as const;
  };

/** Builds the state changes of rows, for Prisma and for plain SQL. */
function stateChanges(
  column: string,
  arrows: ReturnType<typeof transitionsOf>,
  refusal: (row: Row, action: string, caller: Caller | null) => Error,
) {
  const guardOf = (from: readonly string[], alias?: string) =>
    sql`${raw(alias ? `${alias}.${column}` : column)} IN (${join(from)})`;
  return {
    guardOf,
    moving(verb: string, alias?: string): Transition {
      const { from, to } = arrows.get(verb)!;
      return { set: sql`${raw(column)} = ${to}`, guard: guardOf(from, alias) };
    },
    async move(
      rows: object,
      id: string,
      verb: string,
      patch: object = {},
      caller: Caller | null = null,
    ): Promise<boolean> {
      const { from, to } = arrows.get(verb)!;
      const model = rows as Table;
      const { count } = await model.updateMany({
        where: { id, [column]: { in: from } },
        data: { ...patch, [column]: to },
      } as never);
      if (count === 1) return true;
      const row = await model.findFirst({ where: { id } } as never);
      if (!row) throw NotFound();
      if (row[column] === to) return false;
      throw refusal(row, verb, caller);
    },
  };
}

const readsOf = (actions: ReadonlyMap<string, Action>, column: string, owner: string | null | undefined): string[] => {
  const unless = [...actions.values()].flatMap((action) => action.unless ?? []);
  return [...new Set([column, ...unless, ...(typeof owner === 'string' ? [owner] : [])])];
};

interface Options<D, State extends string> {
  actions: D;
  column?: string;
  derived?: DerivedStates<State>;
  /**
   * The column with the user to whom a record scope ascribes a record. Needed where callers see more than they change,
   * such as what is published: `allowed_actions` of other records are empty, except for shared actions. Null where the view
   * limits the actions by other means, such as the managers of a project.
   */
  owner?: string | null;
}

/**
 * Declares a lifecycle as a table: state → verb → next state. A verb that is not listed cannot happen. `actions`
 * declares who performs each verb, and which actions do not change the state.
 */
export function lifecycle<
  const S extends States,
  const D extends Record<Verb<S>, unknown> & Record<string, TransitionActor<keyof S & string>>,
>(
  noun: string,
  table: S & CheckedStates<S>,
  { actions: doers, column = 'status', derived, owner }: Options<D, keyof S & string>,
): Lifecycle<S, Words<D>> {
  const states = Object.keys(table);
  const arrows = transitionsOf(noun, table);
  const actions = actionsOf(table, doers);
  const stateOf = (row: object) => String((row as Row)[column]);
  const ownership = typeof owner === 'string' ? { ownership: { noun, owner } } : {};
  const allowed = (caller: Caller | null, row: object) =>
    allowedActions(actions, caller, stateOf(row), row, ownership.ownership);
  const refusal = (row: object, action: string, caller: Caller | null) =>
    InvalidTransition({ from: stateOf(row), action, allowed: allowed(caller, row) });
  const { guardOf, ...moves } = stateChanges(column, arrows, refusal);
  return {
    noun,
    table,
    states,
    column,
    derived,
    owner,
    actions,
    words: [...actions].flatMap(([name, { permission }]) => (permission ? [name as Words<D>] : [])),
    reads: readsOf(actions, column, owner),
    allowed: (state) => Object.keys((table as States)[state] ?? {}),
    can: accessRules(noun, actions),
    allowedTo: allowed,
    shownTo: (caller, rows, state = raw(`${rows}.${column}`)) =>
      actionsSql(actions, caller, { table: rows, state, states, ...ownership }),
    assertInScope(row, caller) {
      if (typeof owner === 'string') assertInScope(caller, noun, (row as Row)[owner] as string | null);
    },
    fits: (action, row) => isPossible(actions, action, stateOf(row), row),
    assertFits(action, row, caller) {
      if (!isPossible(actions, action, stateOf(row), row)) throw refusal(row, action, caller);
    },
    ...moves,
    deriving: (state, alias) => ({
      set: sql`${raw(column)} = ${state}`,
      guard: sql`${guardOf(derived?.among ?? [], alias)} AND ${raw(`${alias}.${column}`)} <> ${state}`,
    }),
  };
}
