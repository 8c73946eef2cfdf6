/** How a conversation by e-mail is found again: by an address that only we can have given out, by ids, by its number. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { MailPerson, ReadMail } from './message.ts';

const MAC_BYTES = 10;

/** An address that a reply comes back to: `help+t000123.<mac>@example.com`. */
export interface ThreadAddresses {
  /** The address for the answers to a ticket. */
  addressOf(mailbox: string, number: string): string;
  /**
   * The number of the ticket that one of the recipients names.
   * @returns undefined where none does, and `forged` where one has a wrong signature
   */
  read(mailbox: string, recipients: readonly string[]): { number: string } | 'forged' | undefined;
}

/** Makes and reads the addresses of a workspace's threads with a secret of the service. */
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
      const found = tagged.map((one) => /^(t\d{1,12})\.([\da-f]+)$/.exec(one.slice(local.length + 1, -domain.length)));
      const signed = found.find((match) => match && isEqual(match[2]!, macOf(mailbox, match[1]!)));
      if (signed) return { number: signed[1]!.toUpperCase().replace('T', 'T-') };
      return found.some(Boolean) ? 'forged' : undefined;
    },
  };
}

function isEqual(given: string, made: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(made)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The number of a ticket in a subject: `Re: [T-000123] Printer`. */
export const numberIn = (subject: string): string | undefined => /\[(T-\d{6,12})\]/i.exec(subject)?.[1]?.toUpperCase();

/** A Message-ID that nobody can guess: `<ticket.reply.random@domain>`. */
export const newMessageId = (ticket: string, reply: string, domain: string): string =>
  `<${ticket.toLowerCase()}.${reply}.${randomBytes(16).toString('hex')}@${domain}>`;

const DEPTH = 20;

/** The References of an answer: the thread so far and the message that is answered, at most twenty ids. */
export const referencesTo = (thread: readonly string[]): string[] => {
  const ids = [...new Set(thread)];
  // The first id names the thread for mail programs; the last ones are the nearest.
  return ids.length <= DEPTH ? ids : [ids[0]!, ...ids.slice(1 - DEPTH)];
};

const localPartOf = ({ address }: MailPerson): string => address.slice(0, address.lastIndexOf('@'));

/**
 * The requester of a new ticket. By From, Reply-To counts only within the sender's own domain: otherwise any sender could redirect
 * the answers to someone else.
 * @param requester_from the choice of the mailbox: `reply_to` is for e-mails of web forms
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
