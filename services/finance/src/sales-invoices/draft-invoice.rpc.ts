/** Drafts that another service asks for: a proposal that was accepted, an order that is to be invoiced. */
import { BusinessDay, Discount, Id, sql, today } from '@suite/chassis';
import { DraftInvoiceLine, fromDraftInvoice, LINES_MAX } from '@suite/document-lines';
import { type CreateDraftInvoiceResponse, FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { z } from 'zod';
import { booksOf } from '../books/books.ts';
import { partyTerms } from '../invoices/invoice.ts';
import { bookingOf, type DraftLine } from '../documents/lines.ts';
import { type Db, method, type CommandContext } from '../operations.ts';
import { createSalesInvoice, takeBackDraft } from './sales-invoice.ts';

const none = z.literal('');
const Wanted = z.object({
  idempotency_key: z.string().min(1).max(200),
  customer_id: Id,
  invoice_date: BusinessDay.or(none),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .or(none),
  warehouse_id: Id.or(none),
  lines: z.array(DraftInvoiceLine).min(1).max(LINES_MAX),
  discount: Discount.optional(),
  reference: z.string().max(200),
  notes: z.string().max(10_000),
  proposal_id: Id.or(none),
  sales_order_id: Id.or(none),
});
type Wanted = z.output<typeof Wanted>;

/**
 * A line as it was sent. Chosen: methods of gRPC have no clients of other services, so what inventory knows of its
 * product is asked at posting (invoices/draft-completion.ts); its taxes and its price come with it.
 */
const draftOf = (line: Wanted['lines'][number]): DraftLine => ({
  ...fromDraftInvoice(line),
  ...bookingOf(undefined),
  source_type: line.source?.type ?? null,
  source_id: line.source?.id ?? null,
});

/** Chosen: nobody sends a rate, so a foreign currency has the one that it was last booked at; the draft can be changed. */
async function lastRate(db: Db, currency: string): Promise<string | undefined> {
  const [row] = await db.rows<{ rate: string }>(sql`
    SELECT rate FROM open_items WHERE currency = ${currency} ORDER BY date DESC, id DESC LIMIT 1`);
  return row?.rate;
}

async function draft(work: CommandContext, wanted: Wanted): Promise<CreateDraftInvoiceResponse> {
  const { db, caller } = work;
  const books = await booksOf(db, caller);
  const { currency: known } = await partyTerms(db, 'sales', wanted.customer_id);
  const currency = wanted.currency || known;
  const facts = {
    party_id: wanted.customer_id,
    invoice_date: wanted.invoice_date || today(books.timezone),
    currency,
    rate: currency === books.base_currency ? undefined : await lastRate(db, currency),
    discount: wanted.discount ?? null,
    warehouse_id: wanted.warehouse_id || null,
    lines: wanted.lines.map(draftOf),
    plain: {
      reference: wanted.reference || null,
      notes: wanted.notes || null,
      proposal_id: wanted.proposal_id || null,
      sales_order_id: wanted.sales_order_id || null,
    },
  };
  const read = ({ id }: { id: string }) =>
    db.rows<CreateDraftInvoiceResponse>(sql`
      SELECT id AS sales_invoice_id, total, currency FROM sales_invoices WHERE id = ${id}::uuid`);
  const [made] = await createSalesInvoice(work, facts, read);
  return made!;
}

/** Makes a draft, once for each key, however often and however parallel it is asked for. */
export const createDraftInvoice = method(FinanceServiceDefinition.methods.createDraftInvoice, {
  summary: 'Make a draft invoice',
  idempotent: true,
  input: Wanted,
  // For whom, what, for how much, from where. Chosen: neither the day, since whoever asks again after midnight asks for the
  // same, nor the words on the draft.
  boundTo: (wanted) => [
    wanted.customer_id,
    wanted.currency,
    wanted.warehouse_id,
    wanted.lines,
    wanted.discount ?? null,
    wanted.proposal_id,
    wanted.sales_order_id,
  ],
  handle: ({ input, ...work }) => draft(work, input),
  subject: ({ sales_invoice_id }) => sales_invoice_id,
});

/** Takes back a draft that its asker has no use for. One that was posted meanwhile stays: the asker keeps what it is of. */
export const deleteDraftInvoice = method(FinanceServiceDefinition.methods.deleteDraftInvoice, {
  summary: 'Delete a draft that was asked for',
  access: 'settling',
  idempotent: true,
  undoes: createDraftInvoice,
  input: z.object({ idempotency_key: z.string().min(1).max(200), source_id: Id }),
  async handle({ undone, ...work }) {
    if (!undone) return { sales_invoice_id: '' };
    const { sales_invoice_id } = undone;
    await takeBackDraft(work, sales_invoice_id);
    return { sales_invoice_id };
  },
});
