/** Addresses of clients. */
import { ipKeyGenerator } from 'express-rate-limit';

/** Turns an IPv4 address that a server on IPv6 sees as `::ffff:…` back into plain IPv4. */
export function plainAddress(address: string | undefined): string | undefined {
  return address?.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}

/** The key for counting by address. One client of IPv6 owns a whole subnet, so a subnet counts as one address. */
export const subnetOf = (address: string | undefined): string => ipKeyGenerator(plainAddress(address) ?? '');
