/** PDFs of credit notes. */
import type { ResponseWriter } from '@suite/chassis/operations';
import { isZero } from '@suite/money';
import { sendPdf, type PdfLabel, type PdfDocument } from '@suite/pdf';
import type { z } from 'zod';
import type { CreditNoteDetails } from './note.schema.ts';
import { fetchPdfParties, type DocumentPdfInput, pdfAmounts } from '../../invoices/documents/document-pdf.ts';

const WATERMARKS: Readonly<Record<string, PdfLabel>> = { draft: 'draft', voided: 'void' };

/** Creates the PDF of a credit note. */
export async function printCreditNote({
  record,
  ...context
}: DocumentPdfInput<z.output<typeof CreditNoteDetails>>): Promise<ResponseWriter> {
  const { lines, currency, number, status, applied, remaining } = record;
  const figures = await pdfAmounts(context, { table: 'return_lines', lines, currency });
  const { to, from } = await fetchPdfParties(context, record.customer_id);
  const pdf: PdfDocument = {
    title: 'credit_note',
    number,
    mark: WATERMARKS[status] ?? null,
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
  return await sendPdf(pdf, context.caller.workspace_id);
}
