/** Identification of an e-mail conversation: by a signed address of the suite, by IDs, or by its number. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { MailPerson, ReadMail } from './message.ts';

const MAC_BYTES = 10;

/** Reply addresses of tickets: `help+t000123.<mac>@example.com`. */
export interface ThreadAddresses {
  /** Returns the reply address of a ticket. */
  addressOf(mailbox: string, number: string): string;
  /**
   * Returns the ticket number in a recipient address.
   * @returns undefined if no address has one, and `forged` for a wrong signature
   */
  read(mailbox: string, recipients: readonly string[]): { number: string } | 'forged' | undefined;
}

/** Creates and reads a workspace's reply addresses with a secret of the service. */
export function threadAddresses(secret: Buffer, workspace_id: string): ThreadAddresses {
  const macOf = (mailbox: string, part: string): string =>
    createHmac('sha256', secret)
      .update(`${workspace_id} ${mailbox} ${part}`)
      .digest()
      .subarray(0, MAC_BYTES)
      .toString('hex');
  const partOf = (number: string): string => number.toLowerCase().replace('-', '');
  return {
    addressOf(mailbox, number) {
      const at = mailbox.lastIndexOf('@');
      const part = partOf(number);
      return `${mailbox.slice(0, at)}+${part}.${macOf(mailbox, part)}${mailbox.slice(at)}`;
    },
    read(mailbox, recipients) {
      const at = mailbox.lastIndexOf('@');
      const [local, domain] = [mailbox.slice(0, at), mailbox.slice(at)];
      const tagged = recipients.filter((one) => one.startsWith(`${local}+`) && one.endsWith(domain));
      const signatures = tagged.map((one) =>
        /^(t\d{1,12})\.([\da-f]+)$/.exec(one.slice(local.length + 1, -domain.length)),
      );
      const signed = signatures.find((match) => match && isEqual(match[2]!, macOf(mailbox, match[1]!)));
      if (signed) return { number: signed[1]!.toUpperCase().replace('T', 'T-') };
      return signatures.some(Boolean) ? 'forged' : undefined;
    },
  };
}

function isEqual(actual: string, expected: string): boolean {
  const [one, other] = [Buffer.from(actual), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Returns the ticket number in a subject: `Re: [T-000123] Printer`. */
export const numberIn = (subject: string): string | undefined => /\[(T-\d{6,12})\]/i.exec(subject)?.[1]?.toUpperCase();

/** Returns a Message-ID that cannot be guessed: `<ticket.reply.random@domain>`. */
export const newMessageId = (ticket: string, reply: string, domain: string): string =>
  `<${ticket.toLowerCase()}.${reply}.${randomBytes(16).toString('hex')}@${domain}>`;

const REFERENCES_MAX = 20;

/** Returns the References of a reply: the existing thread and the answered message, at most twenty IDs. */
export const referencesTo = (thread: readonly string[]): string[] => {
  const ids = [...new Set(thread)];
  // The first ID names the thread for e-mail programs. The last IDs are the nearest.
  return ids.length <= REFERENCES_MAX ? ids : [ids[0]!, ...ids.slice(1 - REFERENCES_MAX)];
};

const localPartOf = ({ address }: MailPerson): string => address.slice(0, address.lastIndexOf('@'));

/**
 * Returns the requester of a new ticket. With `from`, Reply-To counts only within the sender's own domain. Any sender
 * could otherwise redirect the replies to someone else.
 * @param requester_from setting of the mailbox: `reply_to` is for e-mails of web forms
 */
export function requesterOf(
  { from, reply_to }: Pick<ReadMail, 'from' | 'reply_to'>,
  requester_from: 'from' | 'reply_to' = 'from',
): MailPerson {
  if (requester_from === 'reply_to' && reply_to) return { ...reply_to, name: reply_to.name || localPartOf(reply_to) };
  const domainOf = (address: string) => address.slice(address.lastIndexOf('@'));
  const chosen = reply_to && domainOf(reply_to.address) === domainOf(from.address) ? reply_to : from;
  return {
    name: chosen.name || from.name || localPartOf(chosen),
    address: chosen.address,
  };
}

/**
 * Returns the sender's addresses that are compared with the participants of a ticket: From, and the address that becomes
 * the requester of a new ticket. The address of such a requester can be a Reply-To.
 */
export const sendersOf = (mail: Pick<ReadMail, 'from' | 'reply_to'>, requester_from: 'from' | 'reply_to'): string[] => [
  mail.from.address,
  requesterOf(mail, requester_from).address,
];
