/** The addresses to which an instance sends its customers back. */
import { Fault, fault } from '@suite/chassis';
import type { Db } from '../operations.ts';

export const UrlNotAllowed = fault(
  422,
  'url_not_allowed',
  'The address must use HTTPS and the domain of your instance.',
);

/** Whether an address is of a domain or below it, by https and with nothing that would hide where it leads. */
export function isWithin(address: string, domain: string): boolean {
  const { protocol, hostname, username, password } = new URL(address);
  const isOwn = hostname === domain || hostname.endsWith(`.${domain}`);
  return protocol === 'https:' && isOwn && username === '' && password === '';
}

/** @throws UrlNotAllowed, which names the field */
export async function assertOwnAddress(db: Db, addresses: Record<string, string>): Promise<void> {
  const { domain } = await db.wlInstance.findFirstOrThrow();
  for (const [field, address] of Object.entries(addresses)) {
    if (!isWithin(address, domain)) {
      const { status, code, text } = UrlNotAllowed;
      throw new Fault(status, code, text, {
        errors: { [field]: [`Name an address of https://${domain} or below it.`] },
      });
    }
  }
}
