/** Received e-mails: the outcome of each, and the unchanged original. */
import { FileRefusedByScan, ScanUnavailable } from '@suite/chassis/faults';
import { idOf } from '@suite/chassis/fields';
import { can, page, fileOf } from '@suite/chassis/operations';
import { readFailed } from '../inbound-mail/failed-email.ts';
import { query } from '../../operations.ts';
import { ReceivedEmail, ReceivedEmailFilter } from './received-email.schema.ts';
import { listReceived, OriginalDeleted, originalOf, sendOriginal } from './received-email.ts';

const ADDITION = 'Agents can see the outcome of every e-mail and read the original.';

export const list = query('GET /api/support-ticket/emails', {
  summary: 'List received e-mails',
  description:
    'Returns every e-mail that a mailbox accepted, with its outcome. `outcome=ignored` lists e-mails without a ticket or reply. E-mails that could not be processed are listed as failed e-mails.',
  addition: ADDITION,
  access: can('ticket.update'),
  query: ReceivedEmailFilter,
  reply: page(ReceivedEmail),
  handle: ({ db, query }) => listReceived(db, query),
});

export const original = query('GET /api/support-ticket/email/original/{id}', {
  summary: 'Download an original e-mail',
  description:
    'Returns the e-mail unchanged, as `message/rfc822`. Originals are stored for 90 days. The scanner of the installation checks each download.',
  addition: ADDITION,
  access: can('ticket.update'),
  params: { id: idOf('mail_messages') },
  reply: fileOf('message/rfc822'),
  faults: [OriginalDeleted, FileRefusedByScan, ScanUnavailable],
  handle: async ({ db, params, storage }) => sendOriginal(storage, params.id, await originalOf(db, params.id)),
});

export const failedOriginal = query('GET /api/support-ticket/parked-mail/original/{id}', {
  summary: 'Download a failed e-mail',
  description:
    'Returns the e-mail unchanged, as `message/rfc822`. Returns the first 256 KiB of an e-mail that was too large. Failed e-mails are stored for 30 days. The scanner of the installation checks each download.',
  addition: ADDITION,
  access: can('ticket.update'),
  params: { id: idOf('parked_mails') },
  reply: fileOf('message/rfc822'),
  faults: [FileRefusedByScan, ScanUnavailable],
  handle: async ({ db, params, storage }) =>
    sendOriginal(storage, params.id, (await readFailed(db, params.id)).raw_key),
});
