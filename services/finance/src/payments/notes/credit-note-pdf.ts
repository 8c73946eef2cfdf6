/** PDFs of credit notes. */
import type { Send } from '@suite/chassis/operations';
import { isZero } from '@suite/money';
import { asPdf, type PdfLabel, type PdfDocument } from '@suite/pdf';
import type { z } from 'zod';
import type { CreditNoteDetails } from './note.schema.ts';
import { correspondents, type DocumentPrint, pdfAmounts } from '../../invoices/documents/document-pdf.ts';

const MARKS: Readonly<Record<string, PdfLabel>> = { draft: 'draft', voided: 'void' };

/** Creates the PDF of a credit note. */
export async function printCreditNote({
  record,
  ...means
}: DocumentPrint<z.output<typeof CreditNoteDetails>>): Promise<Send> {
  const { lines, currency, number, status, applied, remaining } = record;
  const figures = await pdfAmounts(means, { table: 'return_lines', lines, currency });
  const { to, from } = await correspondents(means, record.customer_id);
  const letter: PdfDocument = {
    title: 'credit_note',
    number,
    mark: MARKS[status] ?? null,
    from,
    to,
    currency,
    ...figures,
    facts: [
      ['date', { day: record.date }],
      ['for_invoice', { text: record.invoice_number }],
      ['customer_number', { text: to.code }],
    ],
    // The returned lines include their share of the invoice's discount, so no discount is shown.
    discount: null,
    states_tax: true,
    settlement: isZero(applied)
      ? []
      : [
          ['applied', applied],
          ['remaining', remaining],
        ],
    texts: [],
  };
  return await asPdf(letter, means.caller.workspace_id);
}
