/** Envelope of an e-mail about a ticket: its mailbox, and the references that link replies to the ticket. */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import type { WorkspaceEmail } from '@suite/mail-queue';
import { LOOP_FIELD } from '../correspondence/classification.ts';
import { addressesOf } from '../correspondence/conversation.ts';
import { newMessageId, referencesTo } from '../correspondence/thread.ts';
import type { Db } from '../../operations.ts';

/** E-mail that is about to be sent. */
interface OutboundMail {
  id: string;
  workspace_id: string;
  ticket_id: string;
  reply_id: string | null;
  kind: string;
}

interface Sender {
  number: string;
  address: string | null;
  from_name: string | null;
  is_verified: boolean | null;
  signature: string | null;
  message_id: string | null;
}

/** Domain of message IDs without a mailbox. */
const OWN_DOMAIN = 'support.suite';

/**
 * Returns the mailbox of the ticket, or the first one of the workspace. Includes the message ID of an earlier attempt.
 */
async function readSender(db: Db, { id, ticket_id }: OutboundMail): Promise<Sender> {
  const [sender] = await db.rows<Sender>(sql`
    SELECT tickets.number, mailboxes.address, mailboxes.from_name, mailboxes.signature,
      mailboxes.address_verified_at IS NOT NULL AS is_verified, mails.message_id
    FROM mails JOIN tickets ON tickets.id = mails.ticket_id
    LEFT JOIN LATERAL (
      SELECT * FROM mailboxes WHERE active ORDER BY id = tickets.mailbox_id DESC NULLS LAST, created_at, id LIMIT 1
    ) AS mailboxes ON TRUE WHERE mails.id = ${id}::uuid AND tickets.id = ${ticket_id}::uuid`);
  return sender!;
}

/** Records the ID of an e-mail before it is sent, because a reply may arrive immediately. */
async function assignMessageId(db: Db, mail: OutboundMail, { number, address }: Sender): Promise<string> {
  const domain = address?.slice(address.lastIndexOf('@') + 1) ?? OWN_DOMAIN;
  const message_id = newMessageId(number, mail.reply_id ?? mail.id, domain);
  await db.mail.updateMany({ where: { id: mail.id }, data: { message_id } });
  const { ticket_id, reply_id } = mail;
  await db.mailMessage.createMany({ data: [{ direction: 'out', message_id, ticket_id, reply_id, at: clock.now() }] });
  return message_id;
}

/** Returns the conversation before an e-mail, the first message first. */
async function readReferences(db: Db, ticket_id: string, message_id: string): Promise<string[]> {
  const rows = await db.rows<{ message_id: string }>(sql`
    SELECT message_id FROM mail_messages
    WHERE ticket_id = ${ticket_id}::uuid AND message_id IS NOT NULL AND message_id <> ${message_id} ORDER BY at, id`);
  return referencesTo(rows.map((row) => row.message_id));
}

/** Quotes a name before an address. Removes characters that could end it or start another field. */
const quoteName = (name: string): string => `"${name.replaceAll(/[\p{Cc}"\\<>]/gu, '')}"`;

/** Returns the header fields and the signature of an e-mail. Every attempt uses the same ID. */
export async function envelopeOf(
  db: Db,
  mail: OutboundMail,
): Promise<Partial<WorkspaceEmail> & { signature: string | null }> {
  const sender = await readSender(db, mail);
  const message_id = sender.message_id ?? (await assignMessageId(db, mail, sender));
  const references = await readReferences(db, mail.ticket_id, message_id);
  const answered = references.at(-1);
  const addresses = await addressesOf(db, mail.workspace_id);
  const isPersonal = mail.kind === 'reply';
  return {
    message_id,
    headers: { [LOOP_FIELD]: mail.workspace_id, ...(!isPersonal && { 'Auto-Submitted': 'auto-replied' }) },
    signature: isPersonal ? sender.signature : null,
    ...(answered && { in_reply_to: answered, references }),
    ...(sender.from_name && { sender_name: sender.from_name }),
    // The address is used as the sender only after its verification.
    ...(sender.address && {
      ...(sender.is_verified && { from: `${quoteName(sender.from_name!)} <${sender.address}>` }),
      reply_to: addresses.addressOf(sender.address, sender.number),
    }),
  };
}
