import { sql } from '@suite/chassis/database';
import { type Db, tableNamed } from '../../operations.ts';
import { SIDES } from '../documents/side.ts';

/**
 * Updates invoices after a settlement of their open items. The items are locked, so no other transaction changes these
 * invoices concurrently. Only drafts can change otherwise, and drafts have no open item.
 */
export async function followOpenItems(db: Db, claim_ids: readonly string[]): Promise<void> {
  for (const { invoices, invoice, note, states } of Object.values(SIDES)) {
    const follows = states.deriving(sql`now.status`, 'invoice');
    await db.rows(sql`
      UPDATE ${tableNamed(invoices)} AS invoice SET ${follows.set}
      FROM (
        SELECT item.document_id, CASE
          WHEN item.settled = 0 THEN 'posted'
          WHEN item.settled < item.amount THEN 'partially_paid'
          WHEN (SELECT bool_and(credit.document_type = ${note}) FROM allocations
            JOIN open_items AS credit ON credit.id = allocations.credit_id WHERE allocations.claim_id = item.id) THEN 'credited'
          ELSE 'paid' END AS status
        FROM open_items AS item
        WHERE item.id = ANY(${claim_ids}::uuid[]) AND item.document_type = ${invoice} AND NOT item.voided) AS now
      WHERE invoice.id = now.document_id AND ${follows.guard}`);
  }
}
