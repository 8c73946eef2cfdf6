/** Events about returns before completion: incoming goods, and their cancellation. */
import { sql } from '@suite/chassis/database';
import type { Emit } from '@suite/chassis/operations';
import {
  PurchaseReturnApproved,
  PurchaseReturnCancelled,
  SalesReturnApproved,
  SalesReturnCancelled,
} from '@suite/proto/finance/v1/events';
import { type Side, SIDES } from '../../invoices/documents/side.ts';
import { columnNamed, type CommandContext, type Db } from '../../operations.ts';

type StepContext = Pick<CommandContext, 'db' | 'emit'>;

interface AnnouncedReturn {
  id: string;
  invoice_id: string;
  warehouse_id: string | null;
}

/** Returns the goods of a return that are to move, for events. */
const goodsOf = (db: Db, side: Side, id: string): Promise<{ line_id: string; product_id: string; qty: string }[]> =>
  db.rows(sql`
    SELECT part.id AS line_id, line.product_id, trim_scale(part.qty)::text AS qty
    FROM return_lines AS part JOIN invoice_lines AS line ON line.id = part.invoice_line_id
    WHERE part.${columnNamed(SIDES[side].return_key)} = ${id}::uuid AND line.tracked
      AND (${side} = 'purchase' OR part.disposition = 'restock') ORDER BY part.position`);

/** Emits the event about goods in transit, with their draft note. */
export async function announceApproval(
  { db, emit }: StepContext,
  side: Side,
  goodsReturn: AnnouncedReturn,
  note_id: string,
) {
  const { id, invoice_id } = goodsReturn;
  const goods = await goodsOf(db, side, id);
  const warehouse_id = goods.length > 0 ? (goodsReturn.warehouse_id ?? '') : '';
  if (side === 'sales') {
    const what = { sales_return_id: id, sales_invoice_id: invoice_id, credit_note_id: note_id };
    emit(SalesReturnApproved, { ...what, warehouse_id, incoming: goods });
  } else {
    const what = { purchase_return_id: id, purchase_invoice_id: invoice_id, debit_note_id: note_id };
    emit(PurchaseReturnApproved, { ...what, warehouse_id, outgoing: goods });
  }
}

/** Announces that the goods of a return will not arrive. */
export function announceCancelling(emit: Emit, side: Side, { id, invoice_id }: AnnouncedReturn): void {
  if (side === 'sales') emit(SalesReturnCancelled, { sales_return_id: id, sales_invoice_id: invoice_id });
  else emit(PurchaseReturnCancelled, { purchase_return_id: id, purchase_invoice_id: invoice_id });
}
