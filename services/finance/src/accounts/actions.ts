/** What a caller may do with each document of a list: what its state allows, as far as they have the permission. */
import { type Caller, join, type Lifecycle, raw, type Sql, sql } from '@suite/chassis';

/** The same without states: what may be done to a document in each of them beside its transitions. */
export type Extra = Readonly<Record<string, readonly string[]>>;

/**
 * Computes `allowed_actions` with the row.
 * @param permissions action → the permission that it needs; actions that are not here are not for callers
 * @param extra state → actions that are no transitions, such as `update`
 */
export function actions(
  table: string,
  states: Pick<Lifecycle, 'states' | 'allowed'>,
  permissions: Readonly<Record<string, string>>,
  caller: Caller,
  extra: Extra = {},
): Sql {
  const may = (action: string) => {
    const needed = permissions[action];
    return needed !== undefined && caller.permissions.includes(needed);
  };
  const cases = states.states.map((state) => {
    const possible = [...states.allowed(state), ...(extra[state] ?? [])].filter(may);
    return sql`WHEN ${state} THEN ${possible}::text[]`;
  });
  return sql`CASE ${raw(table)}.status ${join(cases, ' ')} END`;
}
