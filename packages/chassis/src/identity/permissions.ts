import { Forbidden } from '../runtime/fault.ts';
import type { Caller } from './identity.ts';

const known = new WeakMap<Caller, ReadonlySet<string>>();

/** The permissions of a caller as a set: an owner has hundreds, and each answer asks for many of them. */
export function permissionsOf(caller: Caller): ReadonlySet<string> {
  const permissions = known.get(caller) ?? new Set(caller.permissions);
  known.set(caller, permissions);
  return permissions;
}

/**
 * Rejects a change of a record that the caller sees because it is published, and not by their record scope of its noun.
 * @param owner_id the user to whom the scope ascribes the record; null for a record of no user
 * @throws Forbidden, naming the noun and the scope that is needed
 */
export function assertInScope(caller: Caller, noun: string, owner_id: string | null): void {
  const { user_id, record_scopes, team = [] } = caller;
  const scope = record_scopes[noun] ?? 'all';
  const people = scope === 'team' ? [...team, user_id] : [user_id];
  if (scope === 'all' || (owner_id !== null && people.includes(owner_id))) return;
  throw Forbidden({ noun, record_scope: 'all' });
}
