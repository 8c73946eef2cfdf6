/** Where requests come from. */
import { ipKeyGenerator } from 'express-rate-limit';

/** An IPv4 address stays one on a server that listens on IPv6. */
export function plainAddress(address: string | undefined): string | undefined {
  return address?.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}

/** Who has an address of IPv6 has as many as they like: such are counted together. */
export const neighbourhood = (address: string | undefined): string => ipKeyGenerator(plainAddress(address) ?? '');
