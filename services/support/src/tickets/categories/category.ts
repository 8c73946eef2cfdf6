/** Deletes categories. Their records move to another category, or prevent the deletion. */
import { remove, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { assertUnused } from '@suite/chassis/lists';
import { moveFaqs } from '../../content/faqs/faq.ts';
import { reapplyPolicies, type TimedTicket } from '../../sla/timers/ticket-timers.ts';
import { readPolicies } from '../../sla/timers/sla-policy-version.ts';
import type { Db } from '../../operations.ts';

/** Statuses of tickets without SLA targets. */
const STATUSES_WITHOUT_SLA = ['closed', 'merged', 'spam'];

/** Moves tickets to another category. Tickets that are not closed get the matching SLA policy. */
async function moveTickets(db: Db, id: string, move_to: string): Promise<void> {
  const moved = await db.rows<TimedTicket & { deleted_at: string | null }>(sql`
    UPDATE tickets SET category_id = ${move_to}::uuid WHERE category_id = ${id}::uuid
    RETURNING id, status, terms_id, priority, category_id, type, customer_id, tags, channel, last_agent_reply_at, deleted_at`);
  const open = moved.filter(({ status, deleted_at }) => deleted_at === null && !STATUSES_WITHOUT_SLA.includes(status));
  await reapplyPolicies(db, open, await readPolicies(db));
}

/** Deletes a category. @throws InUse with the number of its records, unless `move_to` receives them */
export async function removeCategory(db: Db, id: string, move_to: string | undefined): Promise<{ id: string }> {
  if (move_to === id) throw invalid('move_to', 'Choose another category.');
  if (move_to) {
    await moveTickets(db, id, move_to);
    // Report facts of the previous category move to the other one.
    await db.rows(sql`UPDATE ticket_facts SET category_id = ${move_to}::uuid WHERE category_id = ${id}::uuid`);
    await db.rows(sql`UPDATE canned_replies SET category_id = ${move_to}::uuid WHERE category_id = ${id}::uuid`);
    await db.rows(sql`UPDATE mailboxes SET category_id = ${move_to}::uuid WHERE category_id = ${id}::uuid`);
    await db.rows(sql`UPDATE articles SET category_id = ${move_to}::uuid WHERE category_id = ${id}::uuid`);
    await moveFaqs(db, id, move_to);
    return await remove(db.category, id);
  }
  const where = { category_id: id };
  await assertUnused(async () => ({
    tickets: await db.ticket.count({ where }),
    faqs: await db.faq.count({ where }),
    articles: await db.article.count({ where }),
    canned_replies: await db.cannedReply.count({ where }),
    mailboxes: await db.mailbox.count({ where }),
  }));
  return await remove(db.category, id);
}
