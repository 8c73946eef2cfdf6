/** Goods movements of documents: the requests to inventory, and how to build them again after a restore. */
import { sql } from '@suite/chassis/database';
import { minorUnits } from '@suite/money';
import { columnNamed, type Db, tableNamed } from '../../operations.ts';

/** Line that moves goods. `reserved_line_id` is the order line whose reservation it uses. */
interface StockMoveLine {
  line_id: string;
  product_id: string;
  warehouse_id: string;
  qty: string;
  cost: string;
  reserved_line_id?: string;
}

/** Goods movements of a document. */
export interface StockMoves {
  document_type: 'sales_invoice' | 'purchase_invoice' | 'sales_return' | 'purchase_return';
  document_id: string;
  direction: 'issue' | 'receipt';
  business_date: string;
  /** Order whose reservations are used first. */
  sales_order_id?: string | null;
  /** Lines to move. `cost` is the total cost of a line of incoming goods. */
  lines: StockMoveLine[];
}

/** Tables and columns of the lines of each document type. */
const DOCUMENTS = {
  sales_invoice: { date: 'invoice_date', key: 'sales_invoice_id', order: sql`document.sales_order_id` },
  purchase_invoice: { date: 'invoice_date', key: 'purchase_invoice_id', order: sql`NULL::uuid` },
  sales_return: { date: 'return_date', key: 'sales_return_id', order: sql`NULL::uuid` },
  purchase_return: { date: 'return_date', key: 'purchase_return_id', order: sql`NULL::uuid` },
} as const;

type MovedDocumentRow = Pick<StockMoves, 'business_date' | 'sales_order_id'> & {
  warehouse_id: string;
  base_currency: string;
};

/**
 * Returns the movements of an official document again, equal to the first request. After a restore, inventory may not know
 * them. The lines of the document contain the cost of their goods.
 * @throws an Error for a currency without two decimals, because inventory rounds requests of a service to two
 */
export async function movedGoods(
  db: Db,
  { document_type, document_id, direction }: { document_type: string; document_id: string; direction: string },
): Promise<StockMoves> {
  const type = document_type as StockMoves['document_type'];
  const { date, key, order } = DOCUMENTS[type];
  const [document] = await db.rows<MovedDocumentRow>(sql`
    SELECT document.${columnNamed(date)}::text AS business_date, document.warehouse_id, ${order} AS sales_order_id,
      (SELECT base_currency FROM books) AS base_currency
    FROM ${tableNamed(`${type}s`)} AS document WHERE document.id = ${document_id}::uuid`);
  const { base_currency, warehouse_id, ...rest } = document!;
  if (minorUnits(base_currency) !== 2)
    throw new Error(`Goods cannot be moved again in ${base_currency}. Correct the stock with an adjustment.`);
  const lines = await db.rows<Omit<StockMoveLine, 'warehouse_id'>>(
    key === 'sales_invoice_id' || key === 'purchase_invoice_id'
      ? sql`
        SELECT id AS line_id, product_id, trim_scale(qty)::text AS qty, trim_scale(cost)::text AS cost,
          CASE WHEN source_type = 'sales_order' THEN source_id::text ELSE '' END AS reserved_line_id
        FROM invoice_lines WHERE ${columnNamed(key)} = ${document_id}::uuid AND tracked AND cost IS NOT NULL ORDER BY position`
      : sql`
        SELECT part.id AS line_id, line.product_id, trim_scale(part.qty)::text AS qty, trim_scale(part.cost)::text AS cost
        FROM return_lines AS part JOIN invoice_lines AS line ON line.id = part.invoice_line_id
        WHERE part.${columnNamed(key)} = ${document_id}::uuid AND line.tracked AND part.cost IS NOT NULL
          AND (part.disposition = 'restock' OR ${key} = 'purchase_return_id') ORDER BY part.position`,
  );
  return {
    ...rest,
    document_type: type,
    document_id,
    direction: direction as StockMoves['direction'],
    lines: lines.map((line) => ({ ...line, warehouse_id })),
  };
}
