import { type Caller, raw, type Sql, sql } from '@suite/chassis';

/**
 * Which rows of sales somebody may see: all, or those that `column` gives to them. People from outside never see more than
 * their own, whatever the role says.
 */
export function visibleTo(caller: Caller, noun: string, column: string): Sql {
  const own = caller.record_scopes[noun] === 'own' || caller.kind === 'client' || caller.kind === 'vendor';
  return own ? sql`${raw(column)} = ${caller.user_id}::uuid` : sql`TRUE`;
}

/** The actions of these that the caller has the permission for. */
export const permitted = (caller: Caller, actions: readonly string[], permissions: Record<string, string>): string[] =>
  actions.filter((action) => {
    const permission = permissions[action];
    return permission !== undefined && caller.permissions.includes(permission);
  });
