/** Personal API keys: they have at most the current permissions of their owner. */
import { recordActions } from '@suite/chassis/operations';
import { BlockList, isIPv6 } from 'node:net';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { RolePermissions } from '../roles/seeded-roles.ts';

/** Scope without restrictions. */
export const ALL_SCOPES = '*';

/** Scopes for operations without a permission: the account of the key's owner, and the list of other users. */
export const ACCOUNT_SCOPES = ['account.view', 'account.update'] as const;

/**
 * Returns the permissions of a key: its owner's permissions within the key's scopes, and the scopes for the account
 * itself.
 */
export function restrictToScopes(rights: RolePermissions, scopes: readonly string[]): RolePermissions {
  const all = [...rights.permissions, ...ACCOUNT_SCOPES];
  if (scopes.includes(ALL_SCOPES)) return { ...rights, permissions: all };
  return { ...rights, permissions: all.filter((permission) => scopes.includes(permission)) };
}

/** Checks that all scopes are permissions of the caller. @throws ValidationFailed */
export function assertOwnScopes(caller: Caller, scopes: readonly string[]): void {
  const own: readonly string[] = [ALL_SCOPES, ...ACCOUNT_SCOPES, ...caller.permissions];
  const foreign = scopes.find((scope) => !own.includes(scope));
  if (foreign !== undefined) throw invalid('scopes', `You do not have the permission ${foreign}. Remove the scope.`);
}

/** Returns true if a key may be used from an address. An empty list allows every address. */
export function isAddressAllowed(address: string, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true;
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  const list = new BlockList();
  for (const range of allowed) {
    const [network = '', bits] = range.split('/');
    const family = isIPv6(network) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(bits), family);
  }
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}

/** Actions on API keys. */
export const apiKeyActions = recordActions('api_key', {
  revoke: { permission: 'apikey.delete', unless: 'revoked_at' },
});
