/** Revenues and expenses: recorded, approved, posted. They are mirror images and share their rules. */
import { randomUUIDv7 } from 'node:crypto';
import { assertVersion, sql } from '@suite/chassis/database';
import { invalid, NotFound, unknownRecord } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { assertExact, asValidationError, type TaxSnapshot } from '@suite/document-lines';
import { documentTotals, isZero, subtract } from '@suite/money';
import { type Books, booksOf } from '../../ledger/books/books.ts';
import { lockUsableBank } from '../../banking/banking/bank-account.ts';
import { exchangeAmount, rateOf } from '../../ledger/ledger/amount.rules.ts';
import { creditAmount } from '../../ledger/ledger/open-items.rules.ts';
import { columnNamed, type CommandContext, type Db, tableNamed } from '../../operations.ts';
import { type AllocatedInvoice, CASH, type CashDocument, type CashKind } from './cash-kind.ts';
import { assertAllocatable, claimsOf, type InvoicePart } from '../../payments/payments/payment.ts';

/** Fields that can be set. Undefined leaves a field unchanged. */
export interface IncomeOrExpense {
  date?: string | undefined;
  category_id?: string | undefined;
  bank_account_id?: string | undefined;
  party_id?: string | null | undefined;
  project_id?: string | null | undefined;
  method?: string | undefined;
  amount?: string | undefined;
  rate?: string | undefined;
  /** Tax from inventory's catalogue. */
  tax?: TaxSnapshot | null | undefined;
  reference?: string | null | undefined;
  description?: string | null | undefined;
  allocations?: InvoicePart[] | undefined;
  kind?: CashDocument['kind'] | undefined;
}

/** Locks the document until the transaction ends. @throws NotFound */
export async function lockIncomeOrExpense(db: Db, kind: CashKind, id: string): Promise<CashDocument> {
  const { table, party_column, allocations } = CASH[kind];
  const project = kind === 'expense' ? sql`project_id` : sql`NULL::uuid AS project_id`;
  const [row] = await db.rows<CashDocument>(sql`
    SELECT id, number, status, date, category_id, bank_account_id, ${columnNamed(party_column)} AS party_id, ${project}, kind, method,
      amount, currency, rate, tax, net, tax_amount, reference, description, ${columnNamed(allocations)} AS allocations,
      journal_id, created_by, version
    FROM ${tableNamed(table)} WHERE id = ${id}::uuid FOR UPDATE`);
  if (!row) throw NotFound();
  return row;
}

const BLANK: Omit<
  CashDocument,
  'kind' | 'id' | 'date' | 'category_id' | 'bank_account_id' | 'amount' | 'currency' | 'net'
> = {
  number: null,
  status: 'draft',
  party_id: null,
  project_id: null,
  method: 'bank',
  rate: '1',
  tax: null,
  tax_amount: '0',
  reference: null,
  description: null,
  allocations: [],
  journal_id: null,
  created_by: null,
  version: 1,
};

const TAXED_PAYMENT = 'A payment has no tax, because the invoice includes it. Omit the tax.';

/** Rejects unknown or archived records. */
async function assertActive(
  db: Db,
  table: 'revenue_categories' | 'expense_categories' | 'customers' | 'vendors',
  id: string,
  field: string,
): Promise<void> {
  const [row] = await db.rows<{ active: boolean }>(
    sql`SELECT active FROM ${tableNamed(table)} WHERE id = ${id}::uuid FOR KEY SHARE`,
  );
  const noun = field.replace('_id', '');
  if (!row) throw unknownRecord(field, noun);
  if (!row.active) throw invalid(field, `This ${noun} is archived. Choose another one.`);
}

/**
 * Checks the references to records of finance. The project was checked by its own service. Chosen: an archived customer
 * or vendor can still settle their invoices, and stays in a draft.
 * @throws a 422 that names the field
 */
async function assertReferences(
  db: Db,
  kind: CashKind,
  { category_id, party_id, allocations }: CashDocument,
  before: CashDocument | null,
): Promise<void> {
  const { party_column, party } = CASH[kind];
  await assertActive(db, `${kind}_categories`, category_id, 'category_id');
  const isAgreed = allocations.length > 0 || party_id === before?.party_id;
  if (party_id && !isAgreed) await assertActive(db, `${party}s`, party_id, party_column);
}

/**
 * Returns the settled parts of invoices, each with its share of the amount in the document's currency.
 * @param isNew true if the request specifies them: then each must still be open
 * @throws OverAllocated; CurrencyMismatch if a rate is missing; a 422 that names the field
 */
async function allocate(
  db: Db,
  kind: CashKind,
  document: CashDocument,
  parts: readonly InvoicePart[],
  isNew: boolean,
): Promise<AllocatedInvoice[]> {
  const { party_column, allocations: field, party } = CASH[kind];
  const { party_id, amount, currency, tax } = document;
  if (parts.length === 0) return [];
  if (!party_id) throw invalid(party_column, 'Enter the customer or vendor whose invoices are settled.');
  // Chosen: an invoice includes its own tax, so the money that settles it includes none.
  if (tax) throw invalid('tax_id', TAXED_PAYMENT);
  const claims = await claimsOf(db, { kind: party, id: party_id }, parts, field);
  let remainder = amount;
  const allocated = parts.map((part, at) => {
    const currencies = { claim: claims[at]!.currency, credit: currency };
    const credit_amount = creditAmount(part, currencies, `${field}.${at}`);
    remainder = subtract(remainder, credit_amount, currency);
    if (remainder.startsWith('-')) throw invalid(field, 'The allocations exceed the available amount.');
    const { invoice_id, rate = null } = part;
    return { invoice_id, currency: currencies.claim, amount: part.amount, rate, credit_amount };
  });
  if (isNew) assertAllocatable(claims, parts, field);
  return allocated;
}

/**
 * Determines if a document is plain income or expense, or a payment of a customer or to a vendor. Chosen: customer
 * money without a tax is a payment unless the caller names another kind. Before any invoice it is an advance: revenue
 * follows with the invoice. An expense usually names its vendor for information only, so it stays an expense.
 * @throws a 422 that names the field
 */
function kindOf(
  kind: CashKind,
  { party_id, tax, allocations }: CashDocument,
  before: CashDocument | null,
  facts: IncomeOrExpense,
): CashDocument['kind'] {
  const { own_kind, party_column } = CASH[kind];
  const kept = facts.party_id === undefined && facts.tax === undefined ? before?.kind : undefined;
  const usual = kind === 'revenue' && party_id && !tax ? 'payment' : own_kind;
  const chosen = facts.kind ?? (allocations.length > 0 ? 'payment' : (kept ?? usual));
  if (chosen !== 'payment' && allocations.length > 0)
    throw invalid('kind', 'An entry that settles invoices must be of the kind “payment”. Change the kind.');
  if (chosen === 'payment' && !party_id) throw invalid(party_column, 'Select the customer or vendor of the payment.');
  if (chosen === 'payment' && tax) throw invalid('tax_id', TAXED_PAYMENT);
  return chosen;
}

/** Returns the net amount and the tax of an amount that includes its tax. */
function parts(amount: string, currency: string, tax: TaxSnapshot | null): { net: string; tax_amount: string } {
  const taxes = tax ? [{ ...tax, inclusive: true }] : [];
  const { net_total, tax_total } = asValidationError(
    () => documentTotals({ currency, lines: [{ qty: '1', unit_price: amount, taxes }] }),
    (field) => (field.includes('taxes') ? 'tax_id' : 'amount'),
  );
  return { net: net_total, tax_amount: tax_total };
}

/** Composes the document from its checked data. */
async function compose(
  db: Db,
  kind: CashKind,
  before: CashDocument | null,
  facts: IncomeOrExpense,
  books: Books,
): Promise<CashDocument> {
  const fields = Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined),
  ) as IncomeOrExpense;
  const merged = { ...BLANK, ...before, ...fields } as CashDocument;
  const { currency } = await lockUsableBank(db, merged.bank_account_id);
  assertExact(merged.amount, currency, 'amount');
  if (isZero(merged.amount)) throw invalid('amount', 'Enter an amount greater than zero.');
  const known = before?.currency === currency ? before.rate : undefined;
  const rate = rateOf(currency, facts.rate ?? known, 'rate', books);
  const document = { ...merged, currency, rate, ...parts(merged.amount, currency, merged.tax) };
  exchangeAmount(merged.amount, rate, books.base_currency, 'rate');
  await assertReferences(db, kind, document, before);
  const allocations = await allocate(db, kind, document, merged.allocations, facts.allocations !== undefined);
  return { ...document, kind: kindOf(kind, document, before, facts), allocations };
}

const columnsOf = (kind: CashKind, document: CashDocument) => {
  const { party_column, allocations } = CASH[kind];
  const { date, category_id, bank_account_id, method, amount, currency, rate, net, tax_amount } = document;
  return sql`(date, category_id, bank_account_id, ${columnNamed(party_column)}, ${kind === 'expense' ? sql`project_id, ` : sql``}
    kind, method, amount, currency, rate, tax, net, tax_amount, reference, description, ${columnNamed(allocations)}) = ROW(
    ${date}::date, ${category_id}::uuid, ${bank_account_id}::uuid, ${document.party_id}::uuid,
    ${kind === 'expense' ? sql`${document.project_id}::uuid,` : sql``}
    ${document.kind}, ${method}, ${amount}::numeric, ${currency}, ${rate}::numeric, ${document.tax && JSON.stringify(document.tax)}::jsonb,
    ${net}::numeric, ${tax_amount}::numeric, ${document.reference}, ${document.description},
    ${JSON.stringify(document.allocations)}::jsonb)`;
};

/** Creates a draft revenue or expense. Returns its ID. */
export async function createIncomeOrExpense(
  context: CommandContext,
  kind: CashKind,
  facts: IncomeOrExpense,
): Promise<string> {
  const { db, caller } = context;
  const books = await booksOf(db, caller);
  const document = await compose(db, kind, null, facts, books);
  const id = randomUUIDv7();
  const { date, category_id, bank_account_id, method, amount, currency, rate, net, tax_amount, tax } = document;
  const data = {
    id,
    date: midnight(date),
    category_id,
    bank_account_id,
    kind: document.kind,
    method,
    amount,
    currency,
    rate,
    net,
    tax_amount,
    reference: document.reference,
    description: document.description,
    ...(tax && { tax }),
  };
  const allocations = document.allocations.map((part) => ({ ...part }));
  if (kind === 'revenue') {
    await db.revenue.create({ data: { ...data, customer_id: document.party_id, invoice_allocations: allocations } });
  } else {
    const { party_id: vendor_id, project_id } = document;
    await db.expense.create({ data: { ...data, vendor_id, project_id, bill_allocations: allocations } });
  }
  return id;
}

/** Updates a draft. @throws InvalidTransition after approval or posting, Stale */
export async function changeIncomeOrExpense(
  context: CommandContext,
  kind: CashKind,
  id: string,
  facts: IncomeOrExpense,
  expect: number | undefined,
): Promise<void> {
  const { db, caller } = context;
  const books = await booksOf(db, caller);
  const before = await lockIncomeOrExpense(db, kind, id);
  assertVersion(before, expect);
  CASH[kind].states.assertFits('update', before, caller);
  const document = await compose(db, kind, before, facts, books);
  await db.rows(sql`UPDATE ${tableNamed(CASH[kind].table)} SET ${columnsOf(kind, document)} WHERE id = ${id}::uuid`);
}

/** Deletes a draft. @throws InvalidTransition */
export async function removeIncomeOrExpense(
  { db, caller }: Pick<CommandContext, 'db' | 'caller'>,
  kind: CashKind,
  id: string,
): Promise<{ id: string }> {
  CASH[kind].states.assertFits('delete', await lockIncomeOrExpense(db, kind, id), caller);
  await db.rows(sql`DELETE FROM ${tableNamed(CASH[kind].table)} WHERE id = ${id}::uuid`);
  return { id };
}
