/** Mailboxes and their tokens. Only the hashes of tokens are stored. */
import { change, find, remove, sql } from '@suite/chassis/database';
import { InUse, NotFound } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import type { CommandContext, Db } from '../../operations.ts';
import type { MailboxChanges, MailboxInput } from './mailbox.schema.ts';
import { queueVerification } from './mailbox-verification.ts';
import { mailboxTokens } from './token.ts';

const DAY_MS = 86_400_000;
/** Number of days for updating the token in the receiving server. */
const EXCHANGE_DAYS = 7;

/** Creates a mailbox. Its token is returned only once. */
export async function createMailbox({ db, caller }: CommandContext, input: MailboxInput) {
  const { token, stored } = mailboxTokens.make(caller.workspace_id);
  const mailbox = await db.mailbox.create({ data: { ...input, ...stored } });
  await queueVerification(db, mailbox);
  return { ...mailbox, token };
}

/** Changes a mailbox. A new address must be verified again. @throws Stale, TooManyCodes */
export async function updateMailbox(db: Db, id: string, { version: _, ...changes }: MailboxChanges, expect?: number) {
  const before = await find(db.mailbox, id);
  const isAddressChanged = changes.address !== undefined && changes.address !== before.address;
  const mailbox = await change(
    db.mailbox,
    id,
    { ...changes, ...(isAddressChanged && { address_verified_at: null }) },
    expect,
  );
  if (isAddressChanged) await queueVerification(db, mailbox);
  return mailbox;
}

/**
 * Rotates the token of a mailbox. The previous token remains valid for a week, so that no e-mail is lost. @throws Stale
 */
export async function rotateToken({ db, caller }: CommandContext, id: string, expect?: number) {
  const { token, stored } = mailboxTokens.make(caller.workspace_id);
  const former_token_until = new Date(clock.now().getTime() + EXCHANGE_DAYS * DAY_MS);
  // Locks the row, so that no other request rotates the token between this read and the change.
  const [former] = await db.rows<{ token_hash: Uint8Array<ArrayBuffer> }>(sql`
    SELECT token_hash FROM mailboxes WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  if (!former) throw NotFound();
  const tokenColumns = { ...stored, former_token_hash: former.token_hash, former_token_until };
  return { ...(await change(db.mailbox, id, tokenColumns, expect)), token };
}

/** Deletes a mailbox without received e-mails. @throws InUse: others are made inactive */
export async function removeMailbox(db: Db, id: string) {
  // Callers cannot see the e-mails themselves, so the fault contains no count.
  if ((await db.mailMessage.count({ where: { mailbox_id: id } })) > 0) throw InUse();
  return await remove(db.mailbox, id);
}
