/** Sales invoices on paper. */
import type { Send } from '@suite/chassis';
import { isZero } from '@suite/money';
import { asPdf, type Letter } from '@suite/pdf';
import type { z } from 'zod';
import type { SalesInvoice } from './sales-invoice.schema.ts';
import { correspondents, type Print, printedFigures } from '../letters/letter.ts';

type Shown = z.output<typeof SalesInvoice>;

/** The watermark of an invoice that nobody has to pay. */
const MARKS: Partial<Record<Shown['status'], string>> = { draft: 'DRAFT', cancelled: 'CANCELLED' };

function settlement({ status, paid, credited, balance_due }: Shown): Letter['settlement'] {
  if (MARKS[status]) return [];
  const settled = [
    ['Paid', paid],
    ['Credited', credited],
  ] as const;
  return [...settled.filter(([, amount]) => !isZero(amount)), ['Amount due', balance_due]];
}

/** Prints a sales invoice, a draft as a draft. */
export async function printInvoice({ record, ...means }: Print<Shown>): Promise<Send> {
  const { lines = [], currency, status, number } = record;
  const figures = await printedFigures(means, { table: 'invoice_lines', lines, currency });
  const { to, from } = await correspondents(means, record.customer_id);
  const letter: Letter = {
    title: 'Invoice',
    number,
    mark: MARKS[status] ?? null,
    from,
    to,
    currency,
    ...figures,
    facts: [
      ['Invoice date', { day: record.invoice_date }],
      ['Due date', { day: record.due_date }],
      ['Customer no.', { text: to.code }],
      ['Reference', { text: record.reference }],
    ],
    discount: record.discount,
    settlement: settlement(record),
    texts: [['Notes', record.notes]],
  };
  return await asPdf(letter, means.caller.workspace_id);
}
