/** Credit notes on paper. */
import type { Send } from '@suite/chassis';
import { isZero } from '@suite/money';
import { asPdf, type Letter } from '@suite/pdf';
import type { z } from 'zod';
import type { CreditNoteDetails } from './note.schema.ts';
import { correspondents, type Print, printedFigures } from '../letters/letter.ts';

const MARKS: Record<string, string> = { draft: 'DRAFT', voided: 'VOID' };

/** Prints a credit note. */
export async function printCreditNote({ record, ...means }: Print<z.output<typeof CreditNoteDetails>>): Promise<Send> {
  const { lines, currency, number, status, applied, remaining } = record;
  const figures = await printedFigures(means, { table: 'return_lines', lines, currency });
  const { to, from } = await correspondents(means, record.customer_id);
  const letter: Letter = {
    title: 'Credit note',
    number,
    mark: MARKS[status] ?? null,
    from,
    to,
    currency,
    ...figures,
    facts: [
      ['Date', { day: record.date }],
      ['For invoice', { text: record.invoice_number }],
      ['Customer no.', { text: to.code }],
    ],
    // Returned lines bear their share of the invoice's discount as an amount, so no discount is shown.
    discount: null,
    settlement: isZero(applied)
      ? []
      : [
          ['Set against invoices', applied],
          ['Still in your favour', remaining],
        ],
    texts: [],
  };
  return await asPdf(letter, means.caller.workspace_id);
}
