import { Id, idOf, input, Name, record, refTo, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { Words } from '../tickets/ticket.schema.ts';
import { cannedReplyActions } from './canned-reply.rules.ts';

export const CannedReply = record({
  title: z.string(),
  body: z.string(),
  category_id: Id.nullable(),
  active: z.boolean(),
  allowed_actions: Actions(cannedReplyActions),
}).meta({ id: 'SupportCannedReply' });

export const CannedReplyFilter = list(CannedReply, {
  filter: ['category_id', 'active', 'title'],
  sort: ['title', 'created_at'],
  search: true,
});

const fields = { title: Name, body: Words, category_id: refTo('categories').nullish(), active: z.boolean().optional() };
export const CannedReplyInput = input(fields);
export const CannedReplyChanges = input({ ...fields, title: Name.optional(), body: Words.optional(), version });

export const Preview = input({ ticket_id: idOf('tickets') });
export const Previewed = z.object({ id: Id, body: z.string() }).meta({ id: 'SupportCannedReplyPreview' });
