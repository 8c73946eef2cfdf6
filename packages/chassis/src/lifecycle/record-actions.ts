/** Actions on records without states, such as labels: the permissions for updating and deleting them. */
import { type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import type { Caller } from '../identity/identity.ts';
import { type PerformedActions, type LifecycleDiagram, lifecycle } from './lifecycle.ts';
import type { TransitionActor } from './rights.ts';

/** The only state of a record without states, for the tables of the docs. */
export const ANY = 'any';

/** The actions of callers on a record without states. */
export interface RecordActions<A extends string = string> extends LifecycleDiagram {
  words: readonly A[];
  /** The columns that the actions depend on. Undefined if they depend on other records. */
  reads: readonly string[] | undefined;
  /** Opens an operation to callers who may perform these actions, and declares that it performs them. */
  can(...actions: A[]): { kind: 'permission'; permission: string; also?: string; does: PerformedActions };
  /** Returns the actions that a caller may perform on a row, regardless of `when`. */
  allowedTo(caller: Caller | null, row: object): string[];
  /** Returns the actions that a caller may perform on a row, as SQL. */
  shownTo(caller: Caller, table: string): Sql;
}

interface Options {
  /** The column with the user to whom a record scope ascribes a record, see `lifecycle`. */
  owner?: string | null;
  /** Condition of an action on other records, such as the role of the caller in a project. */
  when?: (action: string, caller: Caller, table: string) => Sql;
}

/** Declares the actions on records without states: `recordActions('label', { update: 'label.update' })`. */
export function recordActions<const D extends Record<string, TransitionActor<never>>>(
  noun: string,
  actions: D,
  { owner, when }: Options = {},
): RecordActions<keyof D & string> {
  const life = lifecycle(noun, { [ANY]: {} }, { actions: actions as never, ...(owner !== undefined && { owner }) });
  const columns = [...life.actions.values()].flatMap(({ unless }) => unless ?? []);
  return {
    ...life,
    words: life.words,
    can: life.can,
    reads: when ? undefined : [...new Set([...columns, ...(typeof owner === 'string' ? [owner] : [])])],
    allowedTo: (caller, row) => life.allowedTo(caller, { ...row, status: ANY }),
    shownTo(caller, table) {
      const shown = life.shownTo(caller, table, sql`${ANY}::text`);
      if (!when) return shown;
      return life.words.reduce<Sql>(
        (rest, word) => sql`array_remove(${rest}, CASE WHEN NOT (${when(word, caller, table)}) THEN ${word}::text END)`,
        shown,
      );
    },
  };
}
