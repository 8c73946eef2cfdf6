/** Return addresses for the customers of an instance. */
import { Fault, fault } from '@suite/chassis/faults';
import type { Db } from '../../operations.ts';

export const UrlNotAllowed = fault(
  422,
  'url_not_allowed',
  'This URL is not allowed. Enter an HTTPS URL in the domain of your instance.',
);

/**
 * Returns true if a URL is on a domain or its subdomains, uses https, and contains no credentials. Credentials could
 * disguise its target.
 */
export function isInDomain(address: string, domain: string): boolean {
  const { protocol, hostname, username, password } = new URL(address);
  const isOwn = hostname === domain || hostname.endsWith(`.${domain}`);
  return protocol === 'https:' && isOwn && username === '' && password === '';
}

/** Checks that addresses belong to the instance. @throws UrlNotAllowed, which names the field */
export async function assertOwnAddress(db: Db, addresses: Record<string, string>): Promise<void> {
  const { domain } = await db.wlInstance.findFirstOrThrow();
  for (const [field, address] of Object.entries(addresses)) {
    if (!isInDomain(address, domain)) {
      const { status, code, text } = UrlNotAllowed;
      throw new Fault(status, code, text, {
        errors: { [field]: [`Enter an address on https://${domain} or one of its subdomains.`] },
      });
    }
  }
}
