/** What a caller may do with a document: what its state allows, as far as they have the permission. */
import { type Caller, join, type Lifecycle, sql, type Sql } from '@suite/chassis';
import { type Table, tableNamed } from './tables.ts';

/** The actions on the documents of a kind, as lists show them and refusals name them. */
export interface Actions {
  /** What a caller may do in a state; nobody may do anything. */
  in(status: string, caller: Caller | null): string[];
  /** Computes `allowed_actions` with the row. */
  shown(table: Table, caller: Caller): Sql;
}

/**
 * The actions on the documents of a kind.
 * @param permissions action → the permission that it needs; actions that are not here are not for callers
 * @param extra state → actions that are no transitions, such as `update`
 */
export function actionsOf(
  states: Pick<Lifecycle, 'states' | 'allowed'>,
  permissions: Readonly<Record<string, string>>,
  extra: Readonly<Record<string, readonly string[]>> = {},
): Actions {
  const allowed = (status: string, caller: Caller | null) =>
    [...states.allowed(status), ...(extra[status] ?? [])].filter((action) => {
      const needed = permissions[action];
      return needed !== undefined && caller !== null && caller.permissions.includes(needed);
    });
  return {
    in: allowed,
    shown(table, caller) {
      const cases = states.states.map((state) => sql`WHEN ${state} THEN ${allowed(state, caller)}::text[]`);
      return sql`CASE ${tableNamed(table)}.status ${join(cases, ' ')} END`;
    },
  };
}
