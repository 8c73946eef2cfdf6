import { Id, foreignId, idCheckedBy, input, refTo, ShortText } from '@suite/chassis/fields';
import { z } from 'zod';
import { TicketStatusRequest } from '../tickets/ticket.schema.ts';

export const Merging = input({
  into: refTo('tickets'),
  force: z.boolean().default(false).describe('Whether to merge tickets of different requesters.'),
});

export const Rating = input({ rating: z.int().min(1).max(5), comment: z.string().trim().max(2_000).nullish() });

const Tag = ShortText(50).min(1).toLowerCase();

/** Single change to many tickets. */
export const BulkChange = input({
  ticket_ids: z.array(idCheckedBy('ticket-bulk.ts')).min(1).max(100),
  assignee_id: foreignId('platform.user').nullish(),
  status: TicketStatusRequest.optional(),
  category_id: refTo('categories').nullish(),
  tags_add: z.array(Tag).min(1).max(20).optional(),
  tags_remove: z.array(Tag).min(1).max(20).optional(),
});
export type BulkChange = z.output<typeof BulkChange>;

export const BulkOutcome = z
  .object({
    results: z.array(z.object({ ticket_id: Id, ok: z.boolean(), code: z.string().optional() })),
  })
  .meta({ id: 'SupportBulkOutcome' });
