/**
 * Orders and proposals that invoices are created from, stored as agreed. Shares are computed without a request to crm.
 */
import { sql } from '@suite/chassis/database';
import type { Discount } from '@suite/chassis/fields';
import { computeTotals } from '@suite/document-lines';
import type { DraftLine } from '../documents/lines.ts';
import type { Db } from '../../operations.ts';
import { type AgreedLine, type BilledPart, type Remainder, remainderOf } from './agreed-part.rules.ts';

/** Agreed order or proposal. */
export interface Agreement {
  id: string;
  /** Type of the agreement: `sales_order` or `proposal`. */
  type: string;
  currency: string;
  discount: Discount | null;
  lines: AgreedLine[];
  stopped_through: number;
}

/** Documents that an invoice was created from. */
export interface InvoiceOrigins {
  sales_order_id?: string | null | undefined;
  proposal_id?: string | null | undefined;
}

/** Returns the order or proposal ID of an invoice. Undefined for other invoices. */
export const agreementOf = ({ sales_order_id, proposal_id }: InvoiceOrigins): string | undefined =>
  sales_order_id ?? proposal_id ?? undefined;

/** Locks the agreement of an invoice until the transaction ends. Lock the invoice first. */
export async function lockAgreement(db: Db, id: string): Promise<Agreement | undefined> {
  const [found] = await db.rows<Agreement>(sql`
    SELECT id, type, currency, discount, lines, stopped_through FROM agreements WHERE id = ${id}::uuid FOR UPDATE`);
  return found;
}

/** Stores an agreed order or proposal once: a confirmed order and an accepted proposal never change. */
export async function storeAgreement(
  db: Db,
  { id, type, currency, discount, lines }: Omit<Agreement, 'lines' | 'stopped_through'> & { lines: DraftLine[] },
): Promise<Agreement> {
  const known = await lockAgreement(db, id);
  if (known && known.lines.length > 0) return known;
  const { lines: figures } = computeTotals(lines, currency, discount);
  const agreed = lines.map(({ source_id, product_id, description, qty, unit_price, discount: own, taxes }, at) => {
    return { id: source_id!, product_id, description, qty, unit_price, discount: own, taxes, figures: figures[at]! };
  });
  await db.rows(sql`
    INSERT INTO agreements AS known (id, type, currency, discount, lines)
    VALUES (${id}::uuid, ${type}, ${currency}, ${discount && JSON.stringify(discount)}::jsonb, ${JSON.stringify(agreed)}::jsonb)
    ON CONFLICT (workspace_id, id) DO UPDATE SET currency = EXCLUDED.currency, discount = EXCLUDED.discount,
      lines = EXCLUDED.lines WHERE known.lines = '[]'`);
  return (await lockAgreement(db, id))!;
}

/** Part of an agreed line, with the status of its invoice. */
export interface InvoicedPart extends BilledPart {
  status: string;
}

/** Returns the parts that invoices and drafts bill. Parts of cancelled invoices are open again. */
export const billedParts = (db: Db, { id, type }: Pick<Agreement, 'id' | 'type'>, except: string | null) =>
  db.rows<InvoicedPart>(sql`
    SELECT line.source_id, trim_scale(line.qty)::text AS qty, line.agreed_terms, line.gross, line.line_discount,
      line.header_discount, line.taxes, invoice.status
    FROM sales_invoices AS invoice JOIN invoice_lines AS line ON line.sales_invoice_id = invoice.id
    WHERE ${type === 'proposal' ? sql`invoice.proposal_id` : sql`invoice.sales_order_id`} = ${id}::uuid
      AND invoice.status <> 'cancelled' AND line.source_type = ${type}
      AND invoice.id IS DISTINCT FROM ${except}::uuid`);

/**
 * Returns the parts of an agreement that no invoice or draft bills, by agreed line ID. @param except an invoice to
 * exclude
 */
export async function remaindersOf(
  db: Db,
  agreement: Agreement,
  except: string | null,
): Promise<ReadonlyMap<string, Remainder>> {
  const { currency, discount: header, lines } = agreement;
  const parts = await billedParts(db, agreement, except);
  return new Map(lines.map((line) => [line.id, remainderOf(line, parts, { currency, header })]));
}
