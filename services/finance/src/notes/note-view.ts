/** How notes are shown: what of them is spent their open items tell. */
import { many, one, raw, sql, type View } from '@suite/chassis';
import { type Trade, TRADE } from '../documents/kind.ts';
import type { Db } from '../operations.ts';

const applications = (db: Db, ids: readonly string[]) =>
  db.rows(sql`
    SELECT note.id AS note_id, claim.document_id AS invoice_id, claim.number, allocation.amount, allocation.date
    FROM notes AS note JOIN allocations AS allocation ON allocation.credit_id = note.open_item_id
      JOIN open_items AS claim ON claim.id = allocation.claim_id
    WHERE note.id = ANY(${ids}::uuid[]) ORDER BY allocation.created_at, claim.number`);

const item = (value: string) => sql`SELECT ${raw(value)} FROM open_items AS item WHERE item.id = notes.open_item_id`;

/** How the notes of a side of the books are read. */
export const noteView = (db: Db, trade: Trade): View => ({
  table: 'notes',
  where: sql`notes.kind = ${trade === 'sales' ? 'credit' : 'debit'}`,
  compute: {
    applied: item('item.settled'),
    remaining: item('CASE WHEN item.voided THEN 0 ELSE item.amount - item.settled END'),
    status: item(`CASE WHEN item.voided THEN 'voided' WHEN item.settled = 0 THEN 'open'
      WHEN item.settled < item.amount THEN 'partially_applied' ELSE 'applied' END`),
  },
  expand: {
    applications: many('note_id', (ids) => applications(db, ids)),
    [TRADE[trade].party]: one(TRADE[trade].party_column, (ids) =>
      db.rows(sql`SELECT id, code, name FROM ${raw(`${TRADE[trade].party}s`)} WHERE id = ANY(${ids}::uuid[])`),
    ),
  },
});
