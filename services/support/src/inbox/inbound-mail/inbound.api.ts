/** Inbound e-mails: your server sends each raw message with the token of its mailbox. */
import { withSavepoint } from '@suite/chassis/database';
import { Fault, Unauthenticated } from '@suite/chassis/faults';
import { idOf } from '@suite/chassis/fields';
import { type FileLinks, remainingStorage, type StoredFile } from '@suite/chassis/files';
import { paginate } from '@suite/chassis/lists';
import { can, ok, openToBearer, page, removed, upserted } from '@suite/chassis/operations';
import { lookUpWorkspace } from '@suite/user-copies';
import { mailboxTokens, openMailbox, type OpenMailbox } from '../../settings/mailboxes/token.ts';
import { command, query } from '../../operations.ts';
import type { ChangeContext } from '../../tickets/ticket-states/ticket-change.ts';
import { TicketClosed } from '../../tickets/ticket-states/ticket.rules.ts';
import { InboundMailResult } from './inbound.schema.ts';
import { emailHash, type PreparedMail, receiveMail } from './inbound.ts';
import {
  ForgedThread,
  LIMITS,
  MailTooLarge,
  MailWithoutSender,
  TooManyAttachments,
  UnreadableMail,
} from '../../content/mime/mail.rules.ts';
import { failedEmailActions } from './failed-email.rules.ts';
import { FailedEmail, FailedEmailFilter } from './failed-email.schema.ts';
import { mailboxOf, storeFailed, readFailed, readFailedWithServer, removeFailed } from './failed-email.ts';
import { prepareMail } from './prepare-mail.ts';

const ADDITION = 'An unreadable e-mail is lost unless an agent checks it.';

const mailFaults = [UnreadableMail, TooManyAttachments, MailWithoutSender, ForgedThread, TicketClosed];

/** Faults that only the transaction detects. They store the e-mail as failed. */
const FAULTS_IN_TRANSACTION: readonly string[] = [ForgedThread.code, TicketClosed.code];

/** Processes an e-mail, or stores it as failed. The fault names the failed e-mail. */
async function receiveOrStoreFailed(
  context: ChangeContext,
  mailbox: OpenMailbox,
  { raw, prepared }: { raw: StoredFile & { hash: string }; prepared: PreparedMail | Fault },
  { files, links }: { files: StoredFile[]; links: FileLinks },
) {
  const fingerprint = prepared instanceof Fault ? null : prepared.mail.fingerprint;
  const received_key = fingerprint ?? raw.hash;
  const stored = { received_key, raw_key: raw.key, size: raw.size, links };
  const result =
    prepared instanceof Fault
      ? prepared
      : await withSavepoint(() => receiveMail(context, mailbox, prepared, stored)).catch((error: unknown) => {
          if (error instanceof Fault && FAULTS_IN_TRANSACTION.includes(error.code)) return error;
          throw error;
        });
  if (!(result instanceof Fault))
    return { created: result.outcome === 'created' || result.outcome === 'replied', record: result };
  const failedEmail = { mailbox_id: mailbox.id, received_key, size: raw.size, raw_key: raw.key };
  const { id: parked_id, isNew } = await storeFailed(context.db, failedEmail, result);
  // The files of a rejected request are deleted, but the bytes of a failed e-mail stay.
  if (isNew) files.splice(0, 1);
  return new Fault(result.status, result.code, result.message, { details: { ...result.details, parked_id } });
}

export const take = command('POST /api/support-ticket/inbound', {
  summary: 'Receive an inbound e-mail',
  description:
    'Receives a raw message (RFC 5322) of at most 25 MiB. Creates a ticket, or adds a reply to its ticket. Repeating the request returns the first result. Unreadable messages become failed e-mails, with the ID in `parked_id`. Larger messages are stored as a failed e-mail with their first 256 KiB.',
  addition: 'Inbound e-mails arrive through mailboxes, and the specification has no operation that receives e-mails.',
  access: openToBearer('mailbox', { tokens: mailboxTokens, lookUp: lookUpWorkspace, find: openMailbox }),
  message: {
    mime: 'message/rfc822',
    max_bytes: LIMITS.bytes,
    too_large: MailTooLarge,
    head_bytes: LIMITS.head_bytes,
  },
  reply: upserted(InboundMailResult),
  faults: [MailTooLarge, Unauthenticated, ...mailFaults],
  async prepare({ files, storage, read, request: { bearer = '' } }) {
    const { workspace_id, authentication_server, room } = await read(async (db) => ({
      ...(await openMailbox(db, bearer)),
      room: await remainingStorage(db, null),
    }));
    const stored = files[0]!;
    const bytes = Buffer.from(await storage.read(stored.key));
    const context = { storage, workspace_id, room, files };
    const prepared = stored.cut ? MailTooLarge() : await prepareMail(bytes, authentication_server, context);
    return { raw: { ...stored, hash: emailHash(bytes) }, prepared };
  },
  async handle({ db, emit, prepared, files, links, request: { bearer = '' } }) {
    const mailbox = await openMailbox(db, bearer);
    return await receiveOrStoreFailed({ db, emit, caller: null }, mailbox, prepared, { files, links });
  },
});

export const listParked = query('GET /api/support-ticket/parked-mails', {
  summary: 'List failed e-mails',
  description: 'Returns e-mails that could not be processed, with the reason. Retry or delete them.',
  addition: ADDITION,
  access: can('ticket.update'),
  query: FailedEmailFilter,
  reply: page(FailedEmail),
  handle: ({ db, query }) => paginate(db, query, { table: 'parked_mails' }),
});

export const retryParked = command('POST /api/support-ticket/parked-mail/retry/{id}', {
  summary: 'Retry a failed e-mail',
  description:
    'Processes a failed e-mail again. An e-mail with a forged conversation becomes a new ticket. Removes the failed e-mail once it has been processed. Returns 413 `mail_too_large` if only the beginning of the e-mail is stored.',
  addition: ADDITION,
  access: failedEmailActions.can('retry'),
  params: { id: idOf('parked_mails') },
  reply: ok(InboundMailResult),
  faults: [MailTooLarge, ...mailFaults],
  async prepare({ params, storage, read, files, caller }) {
    const { raw_key, reason, authentication_server } = await read((db) => readFailedWithServer(db, params.id));
    if (reason === MailTooLarge.code) throw MailTooLarge();
    const bytes = Buffer.from(await storage.read(raw_key));
    const room = await read((db) => remainingStorage(db, caller));
    const context = { storage, workspace_id: caller.workspace_id, room, files };
    const prepared = await prepareMail(bytes, authentication_server, context);
    if (prepared instanceof Fault) throw prepared;
    return prepared;
  },
  async handle({ db, emit, params, prepared, links }) {
    const { received_key, raw_key, size, mailbox_id } = await readFailed(db, params.id);
    const mailbox = (await mailboxOf(db, mailbox_id)) as OpenMailbox;
    await db.parkedMail.deleteMany({ where: { id: params.id } });
    const stored = { received_key, raw_key, size, links, isRetried: true };
    return await receiveMail({ db, emit, caller: null }, mailbox, prepared, stored);
  },
});

export const removeOne = command('POST /api/support-ticket/parked-mail/delete/{id}', {
  summary: 'Delete a failed e-mail',
  description: 'Deletes a failed e-mail with its content. The sender is not notified.',
  addition: ADDITION,
  access: failedEmailActions.can('delete'),
  params: { id: idOf('parked_mails') },
  reply: removed,
  handle: ({ db, params }) => removeFailed(db, params.id),
});
