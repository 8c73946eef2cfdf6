/** Addresses that may be called, checked when a connection is opened. */
import { lookup as ask, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import ipaddr from 'ipaddr.js';
import { OutgoingFailure } from './failure.ts';

/** Special ranges in the IANA registries that ipaddr.js treats as public. */
const SPECIAL = ['198.18.0.0/15', '192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24', '64:ff9b:1::/48'].map(
  (range) => ipaddr.parseCIDR(range),
);
const SPECIAL_6 = ['::/96', '100::/64', '2001::/23', '3fff::/20', '5f00::/16', 'fec0::/10'].map((range) =>
  ipaddr.parseCIDR(range),
);

/**
 * Returns true if an IP address belongs to the public internet. Addresses of private networks, this machine, a link or
 * a special use do not.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address in IPv6 notation is checked as IPv4.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return ![...SPECIAL, ...SPECIAL_6].some(
    ([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits),
  );
}

/** Finds the addresses of a host. */
export type Resolve = (hostname: string, options: LookupOptions) => Promise<LookupAddress[]>;

/** The resolver of the system. */
export const systemResolve: Resolve = (hostname, options) => promisify(ask)(hostname, { ...options, all: true });

/** Returns the host of an address in the form for a look-up: an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Rejects a host that is an IP address outside the public internet. Names are checked when they are resolved. */
export function assertPublicHost(url: URL): void {
  const host = hostOf(url);
  if (isIP(host) !== 0 && !isPublic(host)) throw new OutgoingFailure('private_address');
}

/**
 * Creates a look-up for one connection, which then uses exactly the checked addresses. A name that points elsewhere a
 * moment later, or at the next attempt, is checked again.
 */
export function guardedLookup(resolve: Resolve): LookupFunction {
  const find = async (hostname: string, options: LookupOptions) => {
    const found = await resolve(hostname, options);
    // A single private address among public ones is also rejected, because it can be a trap.
    if (!found.every(({ address }) => isPublic(address))) throw new OutgoingFailure('private_address');
    if (found.length === 0) throw new OutgoingFailure('unknown_host');
    return found;
  };
  return (hostname, options, done) => {
    find(hostname, options).then(
      (found) => (options.all ? done(null, found) : done(null, found[0]!.address, found[0]!.family)),
      (error: Error) => done(error, '', 0),
    );
  };
}
