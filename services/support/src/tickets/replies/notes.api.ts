/** Internal notes of agents. Requesters never see them. */
import { NotFound } from '@suite/chassis/faults';
import { idOf, input } from '@suite/chassis/fields';
import { can, created } from '@suite/chassis/operations';
import { fetchStaff, upsertUserCopies } from '@suite/user-copies';
import { attachmentOf, attachNoteFiles } from '../../content/files/attachment.ts';
import { attachments } from '../../content/files/attachment.schema.ts';
import { command } from '../../operations.ts';
import { Note } from '../thread/thread.schema.ts';
import { lockTicket } from '../ticket-states/ticket-change.ts';
import { sideOf } from '../ticket-states/ticket-side.rules.ts';
import { Words } from '../tickets/ticket.schema.ts';

const MENTION = /@([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi;

export const create = command('POST /api/support-ticket/ticket/note/store/{ticket_id}', {
  summary: 'Add an internal note to a ticket',
  description:
    'Adds a note that requesters never see, as JSON or as a form with up to five `files`. Mention a user with `@` and their ID. The status stays unchanged.',
  access: can('ticket.note'),
  params: { ticket_id: idOf('tickets') },
  body: input({ body: Words }),
  upload: attachments,
  reply: created(Note),
  prepare: ({ body, rpc }) => fetchStaff(rpc, { body: [...body.body.matchAll(MENTION)].map(([, id]) => id!) }),
  async handle({ params: { ticket_id }, body, files, links, prepared: mentioned, ...context }) {
    const { db, caller } = context;
    const ticket = await lockTicket(context, ticket_id);
    if (sideOf(caller, ticket) === 'requester') throw NotFound();
    await upsertUserCopies(db, mentioned);
    const thread_id = ticket.merged_into ?? ticket_id;
    const author = { id: caller.user_id, name: caller.user_name };
    const { id, created_at } = await db.ticketNote.create({
      data: { ...body, ticket_id, thread_id, author_id: author.id, author_name: author.name },
    });
    const stored = await attachNoteFiles(db, id, files);
    return { id, ...body, author, created_at, attachments: stored.map((file) => attachmentOf(links, file)) };
  },
});
