/** Drafts that once exceeded their order: when they are posted, they become shares of it again if they fit by then. */
import { asValidationError } from '@suite/document-lines';
import { toBase } from '@suite/money';
import type { Books } from '../../ledger/books/books.ts';
import { draftLines, writeLines } from '../documents/lines.ts';
import type { Db } from '../../operations.ts';
import { updateRow } from '../../parties/rows.ts';
import { composeLines } from './derived-draft.ts';
import type { Invoice } from './invoice.ts';

/**
 * Computes the amounts of a locked draft again, from its lines and the part of the order that other invoices leave now.
 * Chosen: a draft gets its part of a fixed discount at posting, since other drafts can shrink or disappear before then.
 */
export async function recalculateShares(db: Db, before: Invoice, { base_currency }: Books): Promise<void> {
  const { id, currency, rate } = before;
  const written = await draftLines(db, 'sales', id);
  const { header, rows, discount } = await composeLines(db, 'sales', {
    before,
    facts: { columns: {} },
    written,
    currency,
  });
  const base_total = asValidationError(
    () => toBase(header.total, rate, base_currency),
    () => 'rate',
  );
  await updateRow(db, 'sales_invoices', id, { ...header, base_total, discount });
  await db.invoiceLine.deleteMany({ where: { sales_invoice_id: id } });
  await writeLines(db, { side: 'sales', id }, rows);
}
