/** PDFs of sales invoices. */
import type { ResponseWriter } from '@suite/chassis/operations';
import { isZero } from '@suite/money';
import { sendPdf, type PdfLabel, type PdfDocument } from '@suite/pdf';
import type { z } from 'zod';
import type { SalesInvoice } from './sales-invoice.schema.ts';
import { fetchPdfParties, type DocumentPdfInput, pdfAmounts } from '../documents/document-pdf.ts';
import { paymentInstructions, findPrintedAccount } from './payment-instructions.ts';

type PrintedInvoice = z.output<typeof SalesInvoice>;

/** Watermark of an invoice that is not payable. */
const WATERMARKS: Partial<Record<PrintedInvoice['status'], PdfLabel>> = { draft: 'draft', cancelled: 'cancelled' };

function settlement({ status, paid, credited, balance_due }: PrintedInvoice): PdfDocument['settlement'] {
  if (WATERMARKS[status]) return [];
  const settled = [
    ['paid', paid],
    ['credited', credited],
  ] as const;
  return [...settled.filter(([, amount]) => !isZero(amount)), ['amount_due', balance_due]];
}

/** Returns the payment instructions of an invoice with an amount due. */
async function paymentOf(
  { read }: Pick<DocumentPdfInput<unknown>, 'read'>,
  { status, number, currency, balance_due: due }: PrintedInvoice,
  payee: string,
): Promise<PdfDocument['payment']> {
  if (WATERMARKS[status] || number === null || isZero(due)) return null;
  const account = await read((db) => findPrintedAccount(db, currency));
  return account ? paymentInstructions(account, { number, currency, due, payee }) : null;
}

/** Creates the PDF of a sales invoice, with a watermark for drafts. */
export async function printInvoice({ record, ...context }: DocumentPdfInput<PrintedInvoice>): Promise<ResponseWriter> {
  const { lines = [], currency, status, number } = record;
  const figures = await pdfAmounts(context, { table: 'invoice_lines', lines, currency });
  const { to, from } = await fetchPdfParties(context, record.customer_id);
  const pdf: PdfDocument = {
    title: 'invoice',
    number,
    mark: WATERMARKS[status] ?? null,
    from,
    to,
    currency,
    ...figures,
    facts: [
      ['invoice_date', { day: record.invoice_date }],
      ['due_date', { day: record.due_date }],
      ['customer_number', { text: to.code }],
      ['reference', { text: record.reference }],
    ],
    discount: record.discount,
    states_tax: true,
    settlement: settlement(record),
    payment: await paymentOf(context, record, from.name),
    texts: [['notes', record.notes]],
  };
  return await sendPdf(pdf, context.caller.workspace_id);
}
