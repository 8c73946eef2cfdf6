/** Over-invoicing of an order or proposal: rejected unless the caller allows it. */
import { fault } from '@suite/chassis/faults';
import type { Db } from '../../operations.ts';
import { findExcess } from './agreed-part.rules.ts';
import { agreementOf, billedParts, lockAgreement, type InvoiceOrigins } from './agreement.ts';

export const OverInvoiced = fault(
  409,
  'over_invoiced',
  'This invoice bills more than was ordered. Reduce the quantities, or confirm the larger invoice.',
);

/** Line that bills more than was ordered. Quantities are decimal strings. */
export interface ExcessLine {
  line_id: string;
  source_line_id: string;
  ordered_qty: string;
  /** Quantity already billed by posted invoices. */
  invoiced_qty: string;
  /** Quantity that this invoice bills. */
  qty: string;
}

interface CheckedInvoice extends InvoiceOrigins {
  id: string;
  allow_over_invoicing: boolean;
}

interface CheckedLine {
  id: string;
  qty: string;
  source_type: string | null;
  source_id: string | null;
}

/**
 * Finds the lines of an invoice that, together with posted invoices, bill more than was ordered. The agreement is
 * locked, so that two concurrently posted drafts cannot exceed it together.
 * @returns the lines, if the invoice allows it
 * @throws OverInvoiced with the lines, if it does not
 */
export async function assertWithinOrder(
  db: Db,
  invoice: CheckedInvoice,
  lines: readonly CheckedLine[],
): Promise<ExcessLine[]> {
  const id = agreementOf(invoice);
  const own = lines.filter(({ source_type, source_id }) => source_id && source_type !== 'time');
  if (!id || own.length === 0) return [];
  const agreement = await lockAgreement(db, id);
  if (!agreement) return [];
  const parts = (await billedParts(db, agreement, invoice.id)).filter(({ status }) => status !== 'draft');
  const over = findExcess(agreement.lines, parts, own);
  if (over.length > 0 && !invoice.allow_over_invoicing) throw OverInvoiced({ lines: over });
  return over;
}
