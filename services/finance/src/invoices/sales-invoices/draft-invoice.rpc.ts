/** Draft invoices requested by another service: for an accepted proposal, or an order. */
import { sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import { BusinessDay, Discount, Id } from '@suite/chassis/fields';
import { today } from '@suite/chassis/runtime';
import { DraftInvoiceLine, fromDraftInvoice, LINES_MAX } from '@suite/document-lines';
import { type CreateDraftInvoiceResponse, FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { compare } from '@suite/money';
import { z } from 'zod';
import { isZeroQty } from '../agreements/agreed-part.rules.ts';
import type { LinkedLine } from '../agreements/agreed-totals.rules.ts';
import { storeAgreement, remaindersOf } from '../agreements/agreement.ts';
import { booksOf } from '../../ledger/books/books.ts';
import { partyTerms } from '../invoices/invoice.ts';
import { productFieldsOf, type DraftLine } from '../documents/lines.ts';
import { Rate } from '../../ledger/ledger/rate.schema.ts';
import { type Db, method, type CommandContext } from '../../operations.ts';
import { createSalesInvoice, deleteRequestedDraft } from './sales-invoice.ts';

const none = z.literal('');
const DraftRequest = z.object({
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
  rate: Rate.or(none),
  sequence: z.int().min(0),
});
type DraftRequest = z.output<typeof DraftRequest>;

/**
 * Returns a requested line as a draft line. Chosen: gRPC methods have no clients of other services, so the product data
 * of inventory is requested at posting (invoices/draft-completion.ts). Taxes and price are part of the request.
 */
const toDraftLine = (line: DraftRequest['lines'][number]): DraftLine => ({
  ...fromDraftInvoice(line),
  ...productFieldsOf(undefined),
  source_type: line.source?.type ?? null,
  source_id: line.source?.id ?? null,
});

export const NothingToInvoice = fault(
  409,
  'nothing_to_invoice',
  'This document is completely invoiced. Cancel an invoice to invoice it again.',
);

export const InvoicingStopped = fault(
  409,
  'invoicing_stopped',
  'The order was cancelled, closed or put on hold. Resume it, then invoice it again.',
);

export const OtherDraft = fault(
  409,
  'other_draft',
  'A draft invoice with another exchange rate already exists. Change its rate, or delete it first.',
);

/** Returns the last posted rate of a currency, with its date. */
async function lastRate(db: Db, currency: string): Promise<{ rate: string; rate_date: string } | undefined> {
  const [row] = await db.rows<{ rate: string; rate_date: string }>(sql`
    SELECT trim_scale(rate)::text AS rate, date::text AS rate_date FROM open_items
    WHERE currency = ${currency} ORDER BY date DESC, id DESC LIMIT 1`);
  return row;
}

const source = ({ sales_order_id, proposal_id }: DraftRequest) => ({
  type: sales_order_id ? 'sales_order' : 'proposal',
  id: sales_order_id || proposal_id,
});

/** Builds the response about a stored draft. */
async function toResponse(db: Db, { id }: { id: string }): Promise<CreateDraftInvoiceResponse> {
  const [made] = await db.rows<CreateDraftInvoiceResponse>(sql`
    SELECT id AS sales_invoice_id, total, currency, trim_scale(rate)::text AS rate, '' AS rate_date
    FROM sales_invoices WHERE id = ${id}::uuid`);
  return made!;
}

/** Returns the existing draft that bills the remainder of an order or proposal. @throws NothingToInvoice, OtherDraft */
async function latestDraft(db: Db, request: DraftRequest): Promise<CreateDraftInvoiceResponse> {
  const { type, id } = source(request);
  const [draft] = await db.rows<{ id: string; rate: string }>(sql`
    SELECT id, rate FROM sales_invoices
    WHERE ${type === 'proposal' ? sql`proposal_id` : sql`sales_order_id`} = ${id}::uuid AND status = 'draft'
    ORDER BY created_at DESC, id DESC LIMIT 1`);
  if (!draft) throw NothingToInvoice();
  if (request.rate && compare(request.rate, draft.rate) !== 0) throw OtherDraft({ sales_invoice_id: draft.id });
  return await toResponse(db, draft);
}

/**
 * Returns the lines that no invoice or draft of the order or proposal bills yet, or all lines for other drafts.
 * @returns undefined if nothing remains
 * @throws InvoicingStopped for a request from before the order was cancelled, closed or put on hold
 */
async function remainingLines(db: Db, request: DraftRequest, currency: string): Promise<LinkedLine[] | undefined> {
  const lines = request.lines.map(toDraftLine);
  const { type, id } = source(request);
  if (!id || !lines.every(({ source_type }) => source_type === type)) return lines;
  const agreement = await storeAgreement(db, { id, type, currency, discount: request.discount ?? null, lines });
  if (request.sequence > 0 && request.sequence <= agreement.stopped_through) throw InvoicingStopped();
  const remainders = await remaindersOf(db, agreement, null);
  const terms = { price: true, discount: true, taxes: true };
  const open = lines.flatMap((line) => {
    const { qty } = remainders.get(line.source_id!)!;
    return isZeroQty(qty) ? [] : [{ ...line, qty, terms }];
  });
  return open.length > 0 ? open : undefined;
}

async function createDraft(context: CommandContext, request: DraftRequest): Promise<CreateDraftInvoiceResponse> {
  const { db, caller } = context;
  const books = await booksOf(db, caller);
  const { currency: known } = await partyTerms(db, 'sales', request.customer_id, true);
  const currency = request.currency || known;
  const lines = await remainingLines(db, request, currency);
  if (!lines) return await latestDraft(db, request);
  const booked = currency === books.base_currency || request.rate ? undefined : await lastRate(db, currency);
  const facts = {
    party_id: request.customer_id,
    // Chosen: archived customers and products can still be invoiced as agreed. Only new references to them are rejected.
    is_agreed: true,
    invoice_date: request.invoice_date || today(books.timezone),
    currency,
    rate: request.rate || booked?.rate,
    ...(lines[0]?.terms === undefined && { discount: request.discount ?? null }),
    warehouse_id: request.warehouse_id || null,
    lines,
    columns: {
      reference: request.reference || null,
      notes: request.notes || null,
      proposal_id: request.proposal_id || null,
      sales_order_id: request.sales_order_id || null,
    },
  };
  const draft = await createSalesInvoice(context, facts);
  return { ...(await toResponse(db, draft)), rate_date: booked?.rate_date ?? '' };
}

/** Creates a draft once for each key, even if requests are repeated or concurrent. */
export const createDraftInvoice = method(FinanceServiceDefinition.methods.createDraftInvoice, {
  summary: 'Create a draft invoice',
  only: ['crm', 'projects'],
  idempotent: true,
  dry_run: true,
  input: DraftRequest,
  faults: [NothingToInvoice, InvoicingStopped, OtherDraft],
  // Customer, content, amount and source. Chosen: the key of a request excludes the day and texts of the draft, so that
  // a request repeated after midnight is the same.
  boundTo: (request) => [
    request.customer_id,
    request.currency,
    request.warehouse_id,
    request.lines,
    request.discount ?? null,
    request.proposal_id,
    request.sales_order_id,
    ...(request.rate ? [request.rate] : []),
  ],
  handle: ({ input, ...context }) => createDraft(context, input),
  subject: ({ sales_invoice_id }) => sales_invoice_id,
});

/**
 * Deletes a draft that the requesting service no longer needs. A draft that was posted in the meantime remains, and the
 * requesting service keeps its source.
 */
export const deleteDraftInvoice = method(FinanceServiceDefinition.methods.deleteDraftInvoice, {
  summary: 'Delete a requested draft',
  access: 'settling',
  only: ['projects'],
  idempotent: true,
  undoes: createDraftInvoice,
  input: z.object({ idempotency_key: z.string().min(1).max(200), source_id: Id }),
  async handle({ undone, ...context }) {
    if (!undone) return { sales_invoice_id: '' };
    const { sales_invoice_id } = undone;
    await deleteRequestedDraft(context, sales_invoice_id);
    return { sales_invoice_id };
  },
});
