/** PDFs of sales invoices. */
import type { Send } from '@suite/chassis/operations';
import { isZero } from '@suite/money';
import { asPdf, type PdfLabel, type PdfDocument } from '@suite/pdf';
import type { z } from 'zod';
import type { SalesInvoice } from './sales-invoice.schema.ts';
import { correspondents, type DocumentPrint, pdfAmounts } from '../documents/document-pdf.ts';
import { paymentInstructions, printedAccount } from './payment-instructions.ts';

type Shown = z.output<typeof SalesInvoice>;

/** Watermark of an invoice that is not payable. */
const MARKS: Partial<Record<Shown['status'], PdfLabel>> = { draft: 'draft', cancelled: 'cancelled' };

function settlement({ status, paid, credited, balance_due }: Shown): PdfDocument['settlement'] {
  if (MARKS[status]) return [];
  const settled = [
    ['paid', paid],
    ['credited', credited],
  ] as const;
  return [...settled.filter(([, amount]) => !isZero(amount)), ['amount_due', balance_due]];
}

/** Returns the payment instructions of an invoice with an amount due. */
async function paymentOf(
  { read }: Pick<DocumentPrint<unknown>, 'read'>,
  { status, number, currency, balance_due: due }: Shown,
  payee: string,
): Promise<PdfDocument['payment']> {
  if (MARKS[status] || number === null || isZero(due)) return null;
  const account = await read((db) => printedAccount(db, currency));
  return account ? paymentInstructions(account, { number, currency, due, payee }) : null;
}

/** Creates the PDF of a sales invoice, with a watermark for drafts. */
export async function printInvoice({ record, ...means }: DocumentPrint<Shown>): Promise<Send> {
  const { lines = [], currency, status, number } = record;
  const figures = await pdfAmounts(means, { table: 'invoice_lines', lines, currency });
  const { to, from } = await correspondents(means, record.customer_id);
  const letter: PdfDocument = {
    title: 'invoice',
    number,
    mark: MARKS[status] ?? null,
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
    payment: await paymentOf(means, record, from.name),
    texts: [['notes', record.notes]],
  };
  return await asPdf(letter, means.caller.workspace_id);
}
