import type { Caller } from './identity.ts';

const known = new WeakMap<Caller, ReadonlySet<string>>();

/** The permissions of a caller as a set: an owner has hundreds, and each answer asks for many of them. */
export function permissionsOf(caller: Caller): ReadonlySet<string> {
  const permissions = known.get(caller) ?? new Set(caller.permissions);
  known.set(caller, permissions);
  return permissions;
}
