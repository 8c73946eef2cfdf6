/** PDFs of customer statements. */
import type { ResponseWriter } from '@suite/chassis/operations';
import { sendPdf, type PdfDocument } from '@suite/pdf';
import { isZero } from '@suite/money';
import type { z } from 'zod';
import { fetchPdfParties, type DocumentPdfInput } from '../../invoices/documents/document-pdf.ts';
import type { Statement } from './report.schema.ts';

type PrintedStatement = z.output<typeof Statement>;

/** Returns the opening and closing balance of each currency, the currency of the customer last. */
const settlementOf = ({ balances }: PrintedStatement): PdfDocument['settlement'] =>
  balances.toReversed().flatMap(
    ({ currency, opening_balance, closing_balance }) =>
      [
        ['opening_balance', opening_balance, currency],
        ['closing_balance', closing_balance, currency],
      ] as const,
  );

/** Returns false for an entry that only changes the base value, such as an exchange difference. */
const changesDebt = ({ debit, credit }: PrintedStatement['lines'][number]): boolean =>
  !isZero(debit) || !isZero(credit);

/** Creates the PDF of a customer statement, in the language of the customer. */
export async function printStatement({
  record,
  ...context
}: DocumentPdfInput<PrintedStatement>): Promise<ResponseWriter> {
  const { party, from: first, to: last, currency, lines } = record;
  const { to, from } = await fetchPdfParties(context, party.id);
  const pdf: PdfDocument = {
    title: 'statement',
    number: party.code,
    mark: null,
    from,
    to,
    currency,
    facts: [
      ['period_from', { day: first }],
      ['period_through', { day: last }],
      ['customer_number', { text: party.code }],
    ],
    lines: [],
    entries: lines.filter(changesDebt).map(({ narration: description, ...entry }) => ({ ...entry, description })),
    discount: null,
    sums: null,
    settlement: settlementOf(record),
    texts: [],
  };
  return await sendPdf(pdf, context.caller.workspace_id);
}
