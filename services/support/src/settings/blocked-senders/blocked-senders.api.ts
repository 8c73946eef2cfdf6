/** Blocked senders: addresses and domains whose e-mails are ignored. */
import { remove as removeRow } from '@suite/chassis/database';
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, page, removed } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { blockedSenderActions } from './blocked-sender.rules.ts';
import { BlockedSender, BlockedSenderFilter, BlockedSenderInput } from './blocked-sender.schema.ts';

const ADDITION = 'Unwanted senders are blocked.';

export const list = query('GET /api/support-ticket/blocked-senders', {
  summary: 'List blocked senders',
  description: 'Returns the blocked addresses and domains. Their e-mails are listed as ignored.',
  addition: ADDITION,
  access: can('workspace.update'),
  query: BlockedSenderFilter,
  reply: page(BlockedSender),
  handle: ({ db, query }) => paginate(db, query, { table: 'blocked_senders' }),
});

export const create = command('POST /api/support-ticket/blocked-sender/store', {
  summary: 'Block a sender',
  description: 'Blocks an address or a domain: its future e-mails create no tickets. Existing tickets stay unchanged.',
  addition: ADDITION,
  access: can('workspace.update'),
  body: BlockedSenderInput,
  reply: created(BlockedSender),
  handle: ({ db, body }) => db.blockedSender.create({ data: body }),
});

export const remove = command('POST /api/support-ticket/blocked-sender/delete/{id}', {
  summary: 'Unblock a sender',
  description:
    'Unblocks an address or a domain. Future e-mails create tickets again. Ignored e-mails are not processed later.',
  addition: ADDITION,
  access: blockedSenderActions.can('delete'),
  params: { id: idOf('blocked_senders') },
  reply: removed,
  handle: ({ db, params }) => removeRow(db.blockedSender, params.id),
});
