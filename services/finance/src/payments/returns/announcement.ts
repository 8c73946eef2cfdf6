/** Events about returns before completion: incoming goods, and their cancellation. */
import { sql } from '@suite/chassis/database';
import type { Emit } from '@suite/chassis/operations';
import {
  PurchaseReturnApproved,
  PurchaseReturnCancelled,
  SalesReturnApproved,
  SalesReturnCancelled,
} from '@suite/proto/finance/v1/events';
import { type Side, SIDES } from '../../invoices/documents/kind.ts';
import { columnNamed, type CommandContext, type Db } from '../../operations.ts';

type StepContext = Pick<CommandContext, 'db' | 'emit'>;

interface Announced {
  id: string;
  invoice_id: string;
  warehouse_id: string | null;
}

/** Returns the goods of a return that are to move, for events. */
const goodsOf = (db: Db, trade: Side, id: string): Promise<{ line_id: string; product_id: string; qty: string }[]> =>
  db.rows(sql`
    SELECT part.id AS line_id, line.product_id, trim_scale(part.qty)::text AS qty
    FROM return_lines AS part JOIN invoice_lines AS line ON line.id = part.invoice_line_id
    WHERE part.${columnNamed(SIDES[trade].return_key)} = ${id}::uuid AND line.tracked
      AND (${trade} = 'purchase' OR part.disposition = 'restock') ORDER BY part.position`);

/** Emits the event about goods in transit, with their draft note. */
export async function announceApproval({ db, emit }: StepContext, trade: Side, back: Announced, note_id: string) {
  const { id, invoice_id } = back;
  const goods = await goodsOf(db, trade, id);
  const warehouse_id = goods.length > 0 ? (back.warehouse_id ?? '') : '';
  if (trade === 'sales') {
    const what = { sales_return_id: id, sales_invoice_id: invoice_id, credit_note_id: note_id };
    emit(SalesReturnApproved, { ...what, warehouse_id, incoming: goods });
  } else {
    const what = { purchase_return_id: id, purchase_invoice_id: invoice_id, debit_note_id: note_id };
    emit(PurchaseReturnApproved, { ...what, warehouse_id, outgoing: goods });
  }
}

/** Announces that the goods of a return will not arrive. */
export function announceCancelling(emit: Emit, trade: Side, { id, invoice_id }: Announced): void {
  if (trade === 'sales') emit(SalesReturnCancelled, { sales_return_id: id, sales_invoice_id: invoice_id });
  else emit(PurchaseReturnCancelled, { purchase_return_id: id, purchase_invoice_id: invoice_id });
}
