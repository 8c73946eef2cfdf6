/** Mailboxes and their tokens, of which only hashes are kept. */
import { change, clock, find, InUse, NotFound, remove, sql } from '@suite/chassis';
import type { CommandContext, Db } from '../operations.ts';
import type { MailboxChanges, MailboxInput } from './mailbox.schema.ts';
import { queueVerification } from './mailbox-verification.ts';
import { mailboxTokens } from './token.ts';

const DAY_MS = 86_400_000;
/** The days in which a mail server can be told the new token. */
const EXCHANGE_DAYS = 7;

/** Makes a mailbox. Its token is told this once. */
export async function createMailbox({ db, caller }: CommandContext, input: MailboxInput) {
  const { token, kept } = mailboxTokens.make(caller.workspace_id);
  const mailbox = await db.mailbox.create({ data: { ...input, ...kept } });
  await queueVerification(db, mailbox);
  return { ...mailbox, token };
}

/** Changes a mailbox. Another address must be verified anew. @throws Stale, TooManyCodes */
export async function updateMailbox(db: Db, id: string, { version: _, ...changes }: MailboxChanges, expect?: number) {
  const before = await find(db.mailbox, id);
  const isMoved = changes.address !== undefined && changes.address !== before.address;
  const mailbox = await change(db.mailbox, id, { ...changes, ...(isMoved && { address_verified_at: null }) }, expect);
  if (isMoved) await queueVerification(db, mailbox);
  return mailbox;
}

/** Gives a mailbox another token. The one before is good for a week, so that no mail is lost meanwhile. @throws Stale */
export async function rotateToken({ db, caller }: CommandContext, id: string, expect?: number) {
  const { token, kept } = mailboxTokens.make(caller.workspace_id);
  const former_token_until = new Date(clock.now().getTime() + EXCHANGE_DAYS * DAY_MS);
  // A row of its own lock: nobody exchanges the token between this look and the change.
  const [former] = await db.rows<{ token_hash: Uint8Array<ArrayBuffer> }>(sql`
    SELECT token_hash FROM mailboxes WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  if (!former) throw NotFound();
  const exchanged = { ...kept, former_token_hash: former.token_hash, former_token_until };
  return { ...(await change(db.mailbox, id, exchanged, expect)), token };
}

/** Deletes a mailbox that no mail has come to. @throws InUse: others are made inactive */
export async function removeMailbox(db: Db, id: string) {
  // No caller sees the e-mails themselves, so none is counted for the caller either.
  if ((await db.mailMessage.count({ where: { mailbox_id: id } })) > 0) throw InUse();
  return await remove(db.mailbox, id);
}
