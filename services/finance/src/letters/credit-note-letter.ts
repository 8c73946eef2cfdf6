/** Credit notes on paper. */
import type { Send } from '@suite/chassis';
import { isZero } from '@suite/money';
import { asPdf } from '@suite/paper';
import type { z } from 'zod';
import type { CreditNoteDetails } from '../notes/note.schema.ts';
import { correspondents, type Print, taxSums } from './letter.ts';

const MARKS: Record<string, string> = { draft: 'DRAFT', voided: 'VOID' };

/** Prints a credit note. */
export async function printCreditNote({ record, ...means }: Print<z.output<typeof CreditNoteDetails>>): Promise<Send> {
  const { lines, currency, number, status, applied, remaining } = record;
  const { to, from } = await correspondents(means, record.customer_id);
  return await asPdf({
    ...{ title: 'Credit note', number, mark: MARKS[status] ?? null, from, to, currency, lines },
    facts: [
      ['Date', { day: record.date }],
      ['For invoice', { text: record.invoice_number }],
      ['Customer no.', { text: to.code }],
    ],
    sums: record,
    taxes: taxSums(lines, currency),
    settlement: isZero(applied)
      ? []
      : [
          ['Set against invoices', applied],
          ['Still in your favour', remaining],
        ],
    texts: [],
  });
}
