import { Forbidden } from '../runtime/fault.ts';
import type { Caller } from './identity.ts';

const permissionSets = new WeakMap<Caller, ReadonlySet<string>>();

/** Returns the permissions of a caller as a set: an owner has hundreds, and each response checks many. */
export function permissionsOf(caller: Caller): ReadonlySet<string> {
  const permissions = permissionSets.get(caller) ?? new Set(caller.permissions);
  permissionSets.set(caller, permissions);
  return permissions;
}

/** The users whose records of a noun a caller works with. Undefined for the scope `all`. */
export function scopeOf({ user_id, record_scopes, team = [] }: Caller, noun: string): string[] | undefined {
  const scope = record_scopes[noun] ?? 'all';
  if (scope === 'all') return undefined;
  return scope === 'team' ? [...team, user_id] : [user_id];
}

/**
 * Returns true if a record is in the caller's record scope of its noun.
 * @param owner_id user to whom the scope ascribes the record. Null for a record without a user
 */
export function isInScope(caller: Caller, noun: string, owner_id: string | null): boolean {
  const people = scopeOf(caller, noun);
  return people === undefined || (owner_id !== null && people.includes(owner_id));
}

/**
 * Rejects a change to a record that the caller sees only because it is published, not by their record scope for its
 * noun.
 * @param owner_id the user whom the scope assigns the record to. Null for a record of no user
 * @throws Forbidden, naming the noun and the required scope
 */
export function assertInScope(caller: Caller, noun: string, owner_id: string | null): void {
  if (!isInScope(caller, noun, owner_id)) throw Forbidden({ noun, record_scope: 'all' });
}
