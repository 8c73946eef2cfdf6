/** Draft invoices: created, changed, deleted. Sales and purchases are mirror images, so both sides share the rules. */
import { randomUUIDv7 } from 'node:crypto';
import { assertVersion, batch, sql } from '@suite/chassis/database';
import { invalid, NotFound, unknownRecord } from '@suite/chassis/faults';
import type { Discount } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { asValidationError } from '@suite/document-lines';
import { toBase } from '@suite/money';
import { type Books, booksOf } from '../../ledger/books/books.ts';
import { rateOf } from '../../ledger/ledger/amount.rules.ts';
import { columnNamed, type CommandContext, type Db, tableNamed } from '../../operations.ts';
import { insertRows, updateRow } from '../../parties/rows.ts';
import { moveGoods } from '../../ledger/stock/saga.ts';
import { type Side, SIDES } from '../documents/side.ts';
import { draftLines, writeLines } from '../documents/lines.ts';
import type { LineIntent } from '../agreements/agreed-links.rules.ts';
import type { LinkedLine } from '../agreements/agreed-totals.rules.ts';
import { assertBilledCurrency } from './billed-lines.ts';
import { assertOriginKept, composeLines } from './derived-draft.ts';

/** Invoice, with the column names that both sides share. */
export interface Invoice {
  id: string;
  number: string | null;
  status: string;
  party_id: string;
  party_name: string;
  sales_order_id: string | null;
  proposal_id: string | null;
  agent_id: string | null;
  /** True if the discount is the share of its order or proposal. */
  agreed_discount: boolean;
  allow_over_invoicing: boolean;
  invoice_date: string;
  due_date: string;
  warehouse_id: string | null;
  reference: string | null;
  currency: string;
  rate: string;
  discount: Discount | null;
  net_total: string;
  tax_total: string;
  total: string;
  base_total: string;
  journal_id: string | null;
  version: number;
}

/** Fields of an invoice that can be set. Undefined leaves a field unchanged. */
export interface InvoiceFields {
  party_id?: string | undefined;
  invoice_date?: string | undefined;
  currency?: string | undefined;
  rate?: string | undefined;
  discount?: Discount | null | undefined;
  /** Warehouse. Defaults to the default warehouse. */
  warehouse_id?: string | null | undefined;
  /** Current values from inventory's catalogue. */
  lines?: LinkedLine[] | undefined;
  /** References of the request lines to the lines that they replace. */
  intents?: readonly LineIntent[] | undefined;
  /** True if an order, a proposal or billed time determines the party. */
  is_agreed?: boolean | undefined;
  /** Columns without rules. */
  columns: Record<string, string | boolean | null | undefined>;
}

/** Locks the invoice until the transaction ends. @throws NotFound */
export async function lockInvoice(db: Db, side: Side, id: string): Promise<Invoice> {
  const { invoices, party, party_column, origins } = SIDES[side];
  const [row] = await db.rows<Invoice>(sql`
    SELECT id, number, status, ${columnNamed(party_column)} AS party_id, ${origins}, invoice_date, due_date,
      (SELECT name FROM ${tableNamed(`${party}s`)} AS party WHERE party.id = ${columnNamed(party_column)}) AS party_name,
      warehouse_id, reference, currency, rate, discount, net_total, tax_total, total, base_total, journal_id, version
    FROM ${tableNamed(invoices)} WHERE id = ${id}::uuid FOR UPDATE`);
  if (!row) throw NotFound();
  return row;
}

/** Locks the lines of an invoice, so that two returns cannot return the same unit. Lock lines before their invoice. */
export const lockLines = (db: Db, side: Side, id: string) =>
  db.rows(sql`
    SELECT id FROM invoice_lines WHERE ${columnNamed(SIDES[side].invoice_key)} = ${id}::uuid ORDER BY id FOR UPDATE`);

/** Rejects an invoice that is no longer a draft. @throws InvalidTransition */
const assertDraft = (side: Side, invoice: Invoice, action: 'update' | 'delete', caller: Caller | null): void =>
  SIDES[side].states.assertFits(action, invoice, caller);

/**
 * Returns the customer or vendor of an invoice.
 * @param isAgreed true for the party of an existing draft or agreement, which may be archived
 * @throws a 422 if unknown or archived
 */
export async function partyTerms(db: Db, side: Side, id: string, isAgreed: boolean) {
  const { party, party_column } = SIDES[side];
  const [row] = await db.rows<{ currency: string; payment_terms_days: number; active: boolean }>(sql`
    SELECT currency, payment_terms_days, active FROM ${tableNamed(`${party}s`)} WHERE id = ${id}::uuid FOR KEY SHARE`);
  if (!row) throw unknownRecord(party_column, party);
  if (!row.active && !isAgreed) throw invalid(party_column, `This ${party} is archived. Choose another one.`);
  return row;
}

/** Adds a number of days to a date. */
function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Returns the invoice table of a side. */
export const modelOf = (db: Db, side: Side) =>
  (side === 'sales' ? db.salesInvoice : db.purchaseInvoice) as Db['salesInvoice'];

interface InvoiceChange {
  before: Invoice | null;
  facts: InvoiceFields;
  books: Books;
  terms: Awaited<ReturnType<typeof partyTerms>>;
}

/** Composes the columns and lines of an invoice from its data. */
async function compose(db: Db, side: Side, { before, facts, books, terms }: InvoiceChange) {
  const party_id = (facts.party_id ?? before?.party_id)!;
  const invoice_date = (facts.invoice_date ?? before?.invoice_date)!;
  const currency = facts.currency ?? before?.currency ?? terms.currency;
  // Chosen: a new party with another currency requires the currency in the request, since the prices are in the old
  // one.
  const isMoved = before && facts.party_id !== undefined && facts.party_id !== before.party_id;
  if (isMoved && facts.currency === undefined && terms.currency !== currency) {
    throw invalid(
      'currency',
      `The draft is in ${currency}, and this ${SIDES[side].party} uses ${terms.currency}. Specify the currency.`,
    );
  }
  const currentRate = before?.currency === currency ? before.rate : undefined;
  const rate = rateOf(currency, facts.rate ?? currentRate, 'rate', books);
  const written = before ? await draftLines(db, side, before.id) : [];
  assertBilledCurrency(written, before?.currency, currency);
  const warehouse_id = facts.warehouse_id === undefined ? (before?.warehouse_id ?? null) : facts.warehouse_id;
  const { header, rows, discount, agreed_discount } = await composeLines(db, side, {
    before,
    facts,
    written,
    currency,
  });
  if (!warehouse_id && rows.some((line) => line.tracked)) throw invalid('warehouse_id', 'Enter a warehouse.');
  const base_total = asValidationError(
    () => toBase(header.total, rate, books.base_currency),
    () => 'rate',
  );
  const columns = {
    ...facts.columns,
    [SIDES[side].party_column]: party_id,
    currency,
    rate,
    warehouse_id,
    ...header,
    base_total,
    discount,
    ...(side === 'sales' && { agreed_discount }),
    invoice_date,
    due_date: addDays(invoice_date, terms.payment_terms_days),
  };
  return { columns, rows };
}

/** Draft as stored. */
export type StoredDraft = Pick<Invoice, 'id' | 'party_id' | 'currency' | 'total'>;

/** Creates a draft. */
export async function createInvoice(
  context: CommandContext,
  side: Side,
  facts: InvoiceFields & { party_id: string },
): Promise<StoredDraft> {
  const { db, caller } = context;
  const [books, terms] = await batch([
    booksOf(db, caller),
    partyTerms(db, side, facts.party_id, facts.is_agreed ?? false),
  ]);
  const id = randomUUIDv7();
  const { columns, rows } = await compose(db, side, { before: null, facts, books, terms });
  await batch([insertRows(db, SIDES[side].invoices, [{ id, ...columns }]), writeLines(db, { side, id }, rows)]);
  const { currency, total } = columns;
  return { id, party_id: facts.party_id, currency, total };
}

/** Updates a draft. @throws InvalidTransition after posting, Stale, StockPending during posting, DerivedDraft */
export async function changeInvoice(
  context: CommandContext,
  side: Side,
  id: string,
  facts: InvoiceFields,
  expect: number | undefined,
): Promise<void> {
  const { db, caller } = context;
  const books = await booksOf(db, caller);
  const before = await lockInvoice(db, side, id);
  assertVersion(before, expect);
  assertDraft(side, before, 'update', caller);
  await moveGoods.assertNoneOpen(db, id);
  await assertOriginKept(db, before, facts);
  const party_id = facts.party_id ?? before.party_id;
  const terms = await partyTerms(db, side, party_id, party_id === before.party_id);
  const { columns, rows } = await compose(db, side, { before, facts, books, terms });
  await updateRow(db, SIDES[side].invoices, id, columns);
  await db.rows(sql`DELETE FROM invoice_lines WHERE ${columnNamed(SIDES[side].invoice_key)} = ${id}::uuid`);
  await writeLines(db, { side, id }, rows);
}

/** Deletes a draft and returns it. @throws InvalidTransition after posting, StockPending during posting */
export async function removeInvoice(
  { db, caller }: Pick<CommandContext, 'db' | 'caller'>,
  side: Side,
  id: string,
): Promise<Invoice> {
  const invoice = await lockInvoice(db, side, id);
  assertDraft(side, invoice, 'delete', caller);
  await moveGoods.assertNoneOpen(db, id);
  await db.rows(sql`DELETE FROM ${tableNamed(SIDES[side].invoices)} WHERE id = ${id}::uuid`);
  return invoice;
}
