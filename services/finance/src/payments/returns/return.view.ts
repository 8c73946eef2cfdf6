/** Views of returns. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { many, one, readOne, type View } from '@suite/chassis/lists';
import { type Side, SIDES } from '../../invoices/documents/side.ts';
import type { PostingEffects } from '../../invoices/invoices/invoice.view.ts';
import { journalLinesFor } from '../../ledger/ledger/journal.view.ts';
import { type Column, columnNamed, type Db, tableNamed } from '../../operations.ts';
import { pendingEffects } from '../../ledger/stock/saga.ts';
import { SalesReturn, PurchaseReturn } from './return.schema.ts';

const lines = (db: Db, key: Column<'return_lines'>, ids: readonly string[]) =>
  db.rows(sql`
    SELECT part.*, line.product_id, line.product_name, line.description, line.unit_price
    FROM return_lines AS part JOIN invoice_lines AS line ON line.id = part.invoice_line_id
    WHERE part.${columnNamed(key)} = ANY(${ids}::uuid[]) ORDER BY part.position`);

/** Returns the view of a side's returns for a caller. */
export function returnView(db: Db, side: Side, caller: Caller): View {
  const { returns, return_key, return_states, party, party_column } = SIDES[side];
  return {
    table: returns,
    compute: {
      pending_effects: pendingEffects(sql`${tableNamed(returns)}.id`),
      allowed_actions: return_states.shownTo(caller, returns),
    },
    expand: {
      lines: many(return_key, (ids) => lines(db, return_key, ids)),
      [party]: one(party_column, (ids) =>
        db.rows(sql`SELECT id, code, name FROM ${tableNamed(`${party}s`)} WHERE id = ANY(${ids}::uuid[])`),
      ),
    },
  };
}

export const readSalesReturn = (db: Db, caller: Caller, id: string) =>
  readOne(db, SalesReturn, id, returnView(db, 'sales', caller));
export const readPurchaseReturn = (db: Db, caller: Caller, id: string) =>
  readOne(db, PurchaseReturn, id, returnView(db, 'purchase', caller));

/** Returns the effects of completing a return. Null before. */
export async function returnEffects(db: Db, side: Side, id: string): Promise<PostingEffects | null> {
  const { returns, return: type, return_key, moves } = SIDES[side];
  const [back] = await db.rows<{ journal_id: string | null }>(
    sql`SELECT journal_id FROM ${tableNamed(returns)} WHERE id = ${id}::uuid`,
  );
  if (!back?.journal_id) return null;
  const stock_moves = await db.rows<PostingEffects['stock_moves'][number]>(sql`
    SELECT part.id AS line_id, line.product_id, back.warehouse_id, ${moves.return} AS direction, part.qty, part.cost
    FROM return_lines AS part JOIN ${tableNamed(returns)} AS back ON back.id = part.${columnNamed(return_key)}
      JOIN invoice_lines AS line ON line.id = part.invoice_line_id
    WHERE back.id = ${id}::uuid AND part.cost IS NOT NULL ORDER BY part.position`);
  const journal_lines = await journalLinesFor(db, back.journal_id, { type, id });
  return { journal_lines, stock_moves, warnings: [] };
}
