/** Creation, update and deletion of quotes, with their rules. */
import { assertVersion, change, find, remove, sql } from '@suite/chassis/database';
import { fault, invalid } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { clock, today } from '@suite/chassis/runtime';
import { moveTo } from '@suite/chassis/operations';
import { QuoteAccepted } from '@suite/proto/crm/v1/events';
import type { Customer } from '@suite/proto/finance/v1/finance';
import type { Db, CommandContext } from '../../operations.ts';
import { type DraftLine, repriceLines, writeLines } from '../documents/lines.ts';
import { type CustomerChange, customerColumns } from '../references/customer.ts';
import { assignNumber } from '../documents/document-numbers.ts';
import { readQuote } from './quote.view.ts';
import { quoteStates } from './quote.rules.ts';
import type { QuoteChanges, QuoteInput, QuoteRow } from './quote.schema.ts';
import { endOfDay, lockOffer, ValidityIsOver } from '../documents/validity.ts';

export const QuoteIsSettled = fault(
  409,
  'quote_is_settled',
  'This quote was answered or cancelled or has expired. Create a new quote instead.',
);

/** Records of other services in a request body. */
interface QuoteReferences {
  customer: Customer | undefined;
  lines: DraftLine[] | undefined;
}

type QuoteChangeReferences = CustomerChange & QuoteReferences;

/** Returns the customer of a quote. @throws NotFound if it does not exist or the caller cannot see it */
export const customerOfQuote = (db: Db, id: string): Promise<{ customer_id: string }> => find(db.quote, id);

/** Allows a new order of a quote after its order was cancelled or deleted. */
export async function reopenQuote(db: Db, quote_id: string | null): Promise<void> {
  if (quote_id) await quoteStates.move(db.quote, quote_id, 'reopen');
}

/** Locks a quote until the transaction ends. @throws NotFound if it does not exist or the caller cannot see it */
export async function lockQuote(db: Db, id: string): Promise<void> {
  await lockOffer(db, 'quotes', id);
  await find(db.quote, id);
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

function assertDays(issue_date: string, expiry_date: string): void {
  if (expiry_date < issue_date) throw invalid('expiry_date', 'The last day must not be before the date of issue.');
}

async function assertOpportunity(db: Db, id: string | null | undefined): Promise<void> {
  if (!id) return;
  const [found] = await db.rows(sql`
    SELECT id FROM opportunities WHERE id = ${id}::uuid FOR KEY SHARE`);
  if (!found) throw invalid('opportunity_id', 'Opportunity not found.');
}

/** Creates a draft. */
export async function createQuote(
  { db, caller }: CommandContext,
  input: QuoteInput,
  known: QuoteReferences,
): Promise<QuoteRow> {
  const { lines: _, discount = null, issue_date = today(caller.timezone), expiry_date, ...columns } = input;
  const { customer, lines = [] } = known;
  assertDays(issue_date, expiry_date);
  await assertOpportunity(db, input.opportunity_id);
  const currency = input.currency ?? (customer?.currency || caller.currency);
  const { id } = await db.quote.create({
    data: {
      billing_address: customer?.billing_address || null,
      shipping_address: customer?.shipping_address || null,
      ...columns,
      currency,
      customer_name: customer?.name ?? '',
      issue_date: midnight(issue_date),
      expiry_date: midnight(expiry_date),
      expires_at: await endOfDay(db, expiry_date, caller),
    },
  });
  const totals = await writeLines(db, { key: 'quote_id', id }, lines, { currency, discount });
  await change(db.quote, id, totals);
  return readQuote(db, caller, id);
}

/** Updates the content of a quote. A sent quote becomes a draft of the next revision. */
async function reviseQuote(
  { db, caller }: CommandContext,
  id: string,
  input: Omit<QuoteChanges, 'version' | 'status'>,
  known: QuoteChangeReferences,
) {
  const before = await find(db.quote, id);
  if (before.status === 'sent') {
    await quoteStates.move(db.quote, id, 'revise', { revision: before.revision + 1, sent_at: null });
  } else if (before.status !== 'draft') throw QuoteIsSettled();
  const { lines: _, discount, issue_date, expiry_date, ...columns } = input;
  const until = expiry_date ?? dayOf(before.expiry_date);
  assertDays(issue_date ?? dayOf(before.issue_date), until);
  await assertOpportunity(db, input.opportunity_id);
  const lineChanges = { lines: known.lines, currency: input.currency, discount };
  await change(db.quote, id, {
    ...customerColumns(before, input, known),
    ...columns,
    ...(issue_date && { issue_date: midnight(issue_date) }),
    ...(expiry_date && { expiry_date: midnight(expiry_date), expires_at: await endOfDay(db, until, caller) }),
    ...(await repriceLines(db, { key: 'quote_id', id }, before, lineChanges)),
  });
}

/** Runs the requested action on a quote. */
async function runAction(
  { db, caller, emit }: CommandContext,
  id: string,
  status: NonNullable<QuoteChanges['status']>,
): Promise<void> {
  const before = await find(db.quote, id);
  if (status === 'sent' && before.status === 'draft' && before.expires_at <= clock.now()) throw ValidityIsOver();
  const patch = {
    ...(status === 'sent' && { sent_at: clock.now() }),
    ...(status === 'accepted' && { accepted_at: clock.now() }),
  };
  if (!(await moveTo(quoteStates, db.quote, before, status, { patch, caller }))) return;
  if (status === 'accepted') {
    const { customer_id, total, currency } = before;
    const event = { quote_id: id, number: before.number ?? '', customer_id, total: total.toFixed(), currency };
    emit(QuoteAccepted, event);
  }
  if (status === 'sent') await assignNumber(db, 'quote', id, dayOf(before.issue_date));
}

/** Updates a quote, then applies the requested `status`. */
export async function updateQuote(
  context: CommandContext,
  id: string,
  { version: _, status, ...input }: QuoteChanges,
  { expect, ...known }: QuoteChangeReferences & { expect: number | undefined },
): Promise<QuoteRow> {
  const { db, caller } = context;
  await lockQuote(db, id);
  assertVersion(await find(db.quote, id), expect);
  if (Object.keys(input).length > 0) await reviseQuote(context, id, input, known);
  if (status) await runAction(context, id, status);
  return readQuote(db, caller, id);
}

/** Deletes a quote that is not binding and has never had a number. @throws InvalidTransition */
export async function removeQuote(db: Db, caller: Caller, id: string): Promise<{ id: string }> {
  await lockQuote(db, id);
  quoteStates.assertFits('delete', await find(db.quote, id), caller);
  return await remove(db.quote, id);
}
