/** View of notes. Spent amounts come from their open items. */
import { sql, type Sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { many, one, readOne, type View } from '@suite/chassis/lists';
import { refersTo } from '@suite/chassis/visibility';
import { type Side, SIDES } from '../../invoices/documents/side.ts';
import { type Column, columnNamed, type Db, tableNamed } from '../../operations.ts';
import { noteStates } from './note.rules.ts';
import { CreditNote, DebitNote } from './note.schema.ts';

const applications = (db: Db, ids: readonly string[]) =>
  db.rows(sql`
    SELECT allocation.id, note.id AS note_id, claim.document_id AS invoice_id, claim.number, claim.currency, allocation.amount,
      allocation.rate, allocation.credit_amount, allocation.date
    FROM notes AS note JOIN allocations AS allocation ON allocation.credit_id = note.open_item_id
      JOIN open_items AS claim ON claim.id = allocation.claim_id
    WHERE note.id = ANY(${ids}::uuid[]) AND claim.document_type <> 'refund' ORDER BY allocation.created_at, claim.number`);

const refunds = (db: Db, ids: readonly string[]) =>
  db.rows(sql`SELECT * FROM refunds WHERE note_id = ANY(${ids}::uuid[]) ORDER BY number`);

const returned = (db: Db, ids: readonly string[]) =>
  db.rows(sql`
    SELECT note.id AS note_id, part.id, part.position, part.qty, part.net, part.tax, part.total, part.taxes,
      line.product_id, line.product_name, line.sku, line.unit_name, line.description, line.unit_price,
      CASE line.discount ->> 'type' WHEN 'amount'
        THEN jsonb_build_object('type', 'amount', 'value', trim_scale(part.line_discount)::text)
        ELSE line.discount END AS discount
    FROM notes AS note JOIN return_lines AS part ON part.sales_return_id = note.sales_return_id
      JOIN invoice_lines AS line ON line.id = part.invoice_line_id
    WHERE note.id = ANY(${ids}::uuid[]) ORDER BY part.position`);

const itemColumn = (value: Sql) => sql`SELECT ${value} FROM open_items AS item WHERE item.id = notes.open_item_id`;

const status = sql`SELECT coalesce((${itemColumn(sql`CASE WHEN item.voided THEN 'voided' WHEN item.amount = 0 THEN 'applied'
  WHEN item.settled = 0 THEN 'open'
  WHEN item.settled < item.amount THEN 'partially_applied'
  WHEN EXISTS (SELECT FROM refunds WHERE refunds.note_id = notes.id AND refunds.status = 'posted') THEN 'refunded' ELSE 'applied' END`)}), 'draft')`;

/** Returns the view of a side's notes for a caller. */
export const noteView = (db: Db, side: Side, caller: Caller): View => ({
  table: 'notes',
  where: sql`notes.kind = ${side === 'sales' ? 'credit' : 'debit'}`,
  narrowing: refersTo(SIDES[side].party_column, `${SIDES[side].party}s`),
  compute: {
    applied: sql`SELECT coalesce((${itemColumn(sql`item.settled`)}), 0)`,
    remaining: sql`SELECT coalesce((${itemColumn(sql`CASE WHEN item.voided THEN 0 ELSE item.amount - item.settled END`)}), 0)`,
    status,
    allowed_actions: noteStates[side].shownTo(caller, 'notes', sql`(${status})`),
  },
  expand: {
    applications: many('note_id', (ids) => applications(db, ids)),
    refunds: many('note_id', (ids) => refunds(db, ids)),
    [SIDES[side].party]: one(SIDES[side].party_column, (ids) =>
      db.rows(sql`SELECT id, code, name FROM ${tableNamed(`${SIDES[side].party}s`)} WHERE id = ANY(${ids}::uuid[])`),
    ),
  },
});

export const readCreditNote = (db: Db, caller: Caller, id: string) =>
  readOne(db, CreditNote, id, noteView(db, 'sales', caller));
export const readDebitNote = (db: Db, caller: Caller, id: string) =>
  readOne(db, DebitNote, id, noteView(db, 'purchase', caller));

const returnColumn = (column: Column<'sales_returns'>) =>
  sql`SELECT back.${columnNamed(column)} FROM sales_returns AS back WHERE back.id = notes.sales_return_id`;

/** Returns the view of one credit note with the returned lines. */
export function creditNoteView(db: Db, caller: Caller): View {
  const { compute, expand, ...view } = noteView(db, 'sales', caller);
  return {
    ...view,
    compute: {
      ...compute,
      invoice_number: sql`SELECT invoice.number FROM sales_invoices AS invoice WHERE invoice.id = notes.invoice_id`,
      subtotal: returnColumn('subtotal'),
      discount_total: returnColumn('discount_total'),
    },
    expand: { ...expand, lines: many('note_id', (ids) => returned(db, ids)) },
  };
}
