/** Personal API keys: they act as their owner, with no more than the owner may do at that moment. */
import { BlockList, isIPv6 } from 'node:net';
import { type Caller, invalid } from '@suite/chassis';
import type { Rights } from '../roles/seeded-roles.ts';

/** The scope that narrows nothing. */
export const EVERYTHING = '*';

/** The scopes for operations that take no permission: the account of the key's owner, and who else is there. */
export const ACCOUNT_SCOPES = ['account.view', 'account.update'] as const;

/** The rights of a key: those of its owner that are among its scopes, and what it may do with the account itself. */
export function narrowed(rights: Rights, scopes: readonly string[]): Rights {
  const all = [...rights.permissions, ...ACCOUNT_SCOPES];
  if (scopes.includes(EVERYTHING)) return { ...rights, permissions: all };
  return { ...rights, permissions: all.filter((permission) => scopes.includes(permission)) };
}

/** @throws ValidationFailed when a scope is not a right of the caller */
export function assertOwnScopes(caller: Caller, scopes: readonly string[]): void {
  const own: readonly string[] = [EVERYTHING, ...ACCOUNT_SCOPES, ...caller.permissions];
  const foreign = scopes.find((scope) => !own.includes(scope));
  if (foreign !== undefined) throw invalid('scopes', `You do not have the permission ${foreign}.`);
}

/** Whether a key may be used from an address; a list that is empty allows every one. */
export function mayUseFrom(address: string, allowed: readonly string[]): boolean {
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
