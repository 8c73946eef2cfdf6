/** Verification of mailbox addresses: a user of the workspace enters a code that was sent to the address. */
import { createHash, randomInt } from 'node:crypto';
import { change, type TransactionContext, runAfterCommit, find, sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import { type MailContext, mailQueue, type WorkspaceEmail } from '@suite/mail-queue';
import type { MailboxVerification } from '../../generated/client.ts';
import type { Db, Rpc } from '../../operations.ts';

export const WrongCode = fault(
  422,
  'wrong_verification_code',
  'This code is wrong or has expired. Enter the code of the latest e-mail, or request another one.',
);
export const TooManyCodes = fault(
  429,
  'too_many_verification_codes',
  'Too many codes were sent to this mailbox today. Use the latest code, or try again tomorrow.',
);

const SCHEDULE = 'support.deliver-mailbox-verification';
const DAY_MS = 86_400_000;
/** Daily limit of codes for one mailbox, and for all mailboxes of a workspace. */
const CODES_A_DAY = 5;
const CODES_OF_WORKSPACE_A_DAY = 20;
/** Characters that cannot be confused. A code of 12 cannot be guessed. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 12;

const newCode = (): string => Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
const hashOf = (code: string) =>
  new Uint8Array(createHash('sha256').update(code.replaceAll(/[\s-]/g, '').toUpperCase()).digest());

/** Checks the codes of the last 24 hours. @throws TooManyCodes with the seconds until the next code is allowed */
async function assertCodesLeft(db: Db, mailbox_id: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - DAY_MS);
  const sent = await db.rows<{ mailbox_id: string; created_at: Date | string }>(sql`
    SELECT mailbox_id, created_at FROM mailbox_verifications
    WHERE created_at > ${since}::timestamptz ORDER BY created_at DESC LIMIT ${CODES_OF_WORKSPACE_A_DAY}`);
  const ofMailbox = sent.filter((code) => code.mailbox_id === mailbox_id);
  // Code that must leave the window before another one is allowed.
  const blocking = [ofMailbox[CODES_A_DAY - 1], sent[CODES_OF_WORKSPACE_A_DAY - 1]].flatMap((code) =>
    code ? [code] : [],
  );
  if (blocking.length === 0) return;
  const free_at = Math.max(...blocking.map(({ created_at }) => new Date(created_at).getTime())) + DAY_MS;
  throw TooManyCodes({ retry_after_s: Math.max(1, Math.ceil((free_at - now.getTime()) / 1_000)) });
}

/** Queues a code for the address of a mailbox, replacing earlier ones. @throws TooManyCodes */
export async function queueVerification(db: Db, { id, address }: { id: string; address: string }): Promise<void> {
  const now = clock.now();
  // Requests for all mailboxes of the workspace are serialized, because they share a limit.
  await db.rows(sql`
    SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ' mailbox codes', 0))`);
  await assertCodesLeft(db, id, now);
  await db.mailboxVerification.updateMany({
    where: { mailbox_id: id, expires_at: { gt: now } },
    data: { expires_at: now, delivery: 'dropped' },
  });
  const expires_at = new Date(now.getTime() + DAY_MS);
  const next_attempt_at = now;
  await db.mailboxVerification.create({
    data: { mailbox_id: id, address, expires_at, next_attempt_at, created_at: now },
  });
  runAfterCommit(SCHEDULE);
}

/** Sends another code. A verified address needs none. @throws NotFound, TooManyCodes */
export async function resendVerification(db: Db, id: string) {
  const mailbox = await find(db.mailbox, id);
  if (!mailbox.address_verified_at) await queueVerification(db, mailbox);
  return mailbox;
}

/** Verifies the address of a mailbox with the code that was sent to it. @throws NotFound, WrongCode */
export async function verifyMailbox(db: Db, id: string, code: string) {
  const mailbox = await find(db.mailbox, id);
  if (mailbox.address_verified_at) return mailbox;
  const [used] = await db.rows(sql`
    UPDATE mailbox_verifications SET expires_at = ${clock.now()}
    WHERE mailbox_id = ${id}::uuid AND address = ${mailbox.address} AND code_hash = ${hashOf(code)}
      AND expires_at > ${clock.now()}::timestamptz
    RETURNING id`);
  if (!used) throw WrongCode();
  return await change(db.mailbox, id, { address_verified_at: clock.now() });
}

/** Writes the e-mail. Generates the code now instead of when it was queued, because only its hash is stored. */
async function composeVerification(
  db: Db,
  { id, mailbox_id, address }: MailboxVerification,
  workspace_name: string,
): Promise<WorkspaceEmail | undefined> {
  const [open] = await db.rows(sql`
    SELECT FROM mailbox_verifications JOIN mailboxes ON mailboxes.id = mailbox_id
    WHERE mailbox_verifications.id = ${id}::uuid AND mailboxes.id = ${mailbox_id}::uuid AND mailboxes.address = ${address}
      AND address_verified_at IS NULL AND expires_at > ${clock.now()}::timestamptz`);
  if (!open) return undefined;
  const code = newCode();
  await db.mailboxVerification.updateMany({ where: { id }, data: { code_hash: hashOf(code) } });
  const text = [
    'Hello,',
    `${workspace_name} wants to send e-mails from ${address}. If you agree, enter this code in the settings of the mailbox:`,
    code.replaceAll(/(.{4})(?=.)/g, '$1-'),
    'The code is valid for 24 hours. If you do not know this workspace, ignore this e-mail. Nothing is sent in your name.',
  ].join('\n\n');
  const because = `someone at ${workspace_name} added this address as a mailbox`;
  return { to: address, subject: 'Your code to verify this e-mail address', text, because };
}

const queue = mailQueue<Db, MailboxVerification, Rpc>({
  schedule: SCHEDULE,
  table: 'mailbox_verifications',
  compose: ({ database }: MailContext<Db, Rpc>, mail, context: TransactionContext, { workspace_name }) =>
    database.write(context, (db) => composeVerification(db, mail, workspace_name)),
});

export const deliverVerifications = queue.deliver;
export const deliverMailboxVerifications = queue.schedule;
