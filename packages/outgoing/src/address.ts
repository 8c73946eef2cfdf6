/** Addresses that may be called, judged at the moment in which a connection is made to them. */
import { lookup as ask, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import ipaddr from 'ipaddr.js';
import { OutgoingFailure } from './failure.ts';

/** Ranges that the registries of IANA keep apart and ipaddr.js counts among the public ones. */
const SPECIAL = ['198.18.0.0/15', '192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24', '64:ff9b:1::/48'].map(
  (range) => ipaddr.parseCIDR(range),
);
const SPECIAL_6 = ['::/96', '100::/64', '2001::/23', '3fff::/20', '5f00::/16', 'fec0::/10'].map((range) =>
  ipaddr.parseCIDR(range),
);

/** Whether an IP address is one of the public internet: not of a private network, this machine, a link or a special use. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address that is written as IPv6 is judged as what it is.
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

/** The host of an address as it is looked up: an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Refuses a host that is itself an IP address, and none of the public internet. Names are judged when they are looked up. */
export function assertPublicHost(url: URL): void {
  const host = hostOf(url);
  if (isIP(host) !== 0 && !isPublic(host)) throw new OutgoingFailure('private_address');
}

/**
 * A look-up for one connection, which is made to the very addresses that it has judged: a name that leads elsewhere a moment
 * later, or at the next attempt, is judged anew.
 */
export function guardedLookup(resolve: Resolve): LookupFunction {
  const find = async (hostname: string, options: LookupOptions) => {
    const found = await resolve(hostname, options);
    // One private address among public ones is a trap as well.
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
