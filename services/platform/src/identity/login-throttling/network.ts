import { isIPv6 } from 'node:net';

/** Number of groups in the IPv6 prefix that one customer usually gets. Such a customer controls all its addresses. */
const GROUPS = 4;

/**
 * Returns the network of an address for limits: an IPv4 address, or the /64 of an IPv6 address. Uses groups of four
 * digits, so that each network has one spelling.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%')[0] ?? '';
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':'));
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  // An IPv4 address at the end represents two groups. The network never reaches that far.
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(missing).fill('0'), ...after];
  return groups
    .slice(0, GROUPS)
    .map((group) => group.padStart(4, '0'))
    .join(':');
}
