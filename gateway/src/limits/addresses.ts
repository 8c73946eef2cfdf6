/** Client addresses. */
import { ipKeyGenerator } from 'express-rate-limit';

/** Converts an IPv4-mapped address (`::ffff:…`) to plain IPv4. */
export function plainAddress(address: string | undefined): string | undefined {
  return address?.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}

/** Returns the key for counting by address. An IPv6 client owns a whole subnet, so a subnet counts as one address. */
export const subnetOf = (address: string | undefined): string => ipKeyGenerator(plainAddress(address) ?? '');
