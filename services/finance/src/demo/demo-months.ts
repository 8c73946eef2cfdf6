/** Months of the demo's bookkeeping: revenues, expenses and transfers. */
import { sql } from '@suite/chassis/database';
import { isChosen, randomNumber, pickOne, pickWeighted } from '@suite/demo';
import { transfer } from '../banking/banking/transfer.ts';
import { approveIncomeOrExpense } from '../cash/revenues-expenses/cash-approval.ts';
import { type IncomeOrExpense, createIncomeOrExpense } from '../cash/revenues-expenses/cash.ts';
import type { CashKind } from '../cash/revenues-expenses/cash-kind.ts';
import { postIncomeOrExpense } from '../cash/revenues-expenses/cash-posting.ts';
import type { DemoBanks } from './demo-parties.ts';
import { daysAgo, type DemoContext } from './demo-context.ts';

/** Final status of a demo document. */
type FinalStatus = 'draft' | 'approved' | 'posted';

/** Recurring monthly expenses, with their approximate amounts. */
const RECURRING = [
  { category: 'Rent', description: 'Office rent', low: 2_400, high: 2_400 },
  { category: 'Utilities', description: 'Electricity and heating', low: 180, high: 420 },
  { category: 'Software', description: 'Subscriptions', low: 240, high: 610 },
  { category: 'Bank charges', description: 'Account fees', low: 12, high: 35 },
] as const;

const OCCASIONAL = [
  { category: 'Travel', description: 'Train and hotel', low: 90, high: 780 },
  { category: 'Office supplies', description: 'Paper, toner, coffee', low: 25, high: 260 },
  { category: 'Marketing', description: 'Advertisements', low: 150, high: 1_900 },
] as const;

const EARNED = [
  { category: 'Services', description: 'Consulting', low: 800, high: 6_200 },
  { category: 'Services', description: 'Maintenance contract', low: 250, high: 900 },
  { category: 'Other', description: 'Sublet of a meeting room', low: 80, high: 240 },
  { category: 'Interest', description: 'Interest on savings', low: 5, high: 40 },
] as const;

const cents = () => String(randomNumber(0, 99)).padStart(2, '0');

/** Returns category IDs by name. */
async function categoriesOf({ command: { db } }: DemoContext, kind: CashKind): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; name: string }>(
    kind === 'revenue' ? sql`SELECT id, name FROM revenue_categories` : sql`SELECT id, name FROM expense_categories`,
  );
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** Creates a document and moves it to its final status. */
async function addDocument(
  { command, now }: DemoContext,
  kind: CashKind,
  facts: IncomeOrExpense,
  end: FinalStatus,
): Promise<void> {
  const id = await createIncomeOrExpense(command, kind, facts);
  if (end === 'draft') return;
  await approveIncomeOrExpense(command, kind, id, now);
  if (end === 'posted') await postIncomeOrExpense(command, kind, id);
}

/** Returns the status for a month: documents of the current month may be unfinished, older ones are posted. */
const finalStatusOf = (month: number): FinalStatus =>
  month > 0
    ? 'posted'
    : pickWeighted<FinalStatus>([
        [6, 'posted'],
        [2, 'approved'],
        [2, 'draft'],
      ]);

interface DemoRecords {
  revenues: Map<string, string>;
  expenses: Map<string, string>;
  customers: readonly string[];
  vendors: readonly string[];
  banks: DemoBanks;
}

async function addExpenses(
  context: DemoContext,
  month: number,
  { expenses, vendors, banks }: DemoRecords,
): Promise<void> {
  const occasions = Array.from({ length: randomNumber(2, 4) }, () => pickOne(OCCASIONAL));
  for (const { category, description, low, high } of [...RECURRING, ...occasions]) {
    const day = daysAgo(context, month * 30 + randomNumber(0, 27));
    const facts = { date: day, category_id: expenses.get(category)!, bank_account_id: banks.main, description };
    const vendor = isChosen(0.6) ? pickOne(vendors) : null;
    const amount = `${randomNumber(low, high)}.${low === high ? '00' : cents()}`;
    await addDocument(
      context,
      'expense',
      { ...facts, amount, party_id: vendor, reference: `B-${randomNumber(10_000, 99_999)}` },
      finalStatusOf(month),
    );
  }
}

async function addRevenues(
  context: DemoContext,
  month: number,
  { revenues, customers, banks }: DemoRecords,
): Promise<void> {
  for (let at = randomNumber(5, 8); at > 0; at -= 1) {
    const { category, description, low, high } = pickOne(EARNED);
    const isForeign = isChosen(0.1);
    const facts: IncomeOrExpense = {
      date: daysAgo(context, month * 30 + randomNumber(0, 27)),
      category_id: revenues.get(category)!,
      description,
      bank_account_id: isForeign ? banks.foreign : banks.main,
      amount: `${randomNumber(low, high)}.${cents()}`,
      ...(isForeign && { rate: `0.9${randomNumber(0, 5)}` }),
    };
    await addDocument(
      context,
      'revenue',
      { ...facts, party_id: isChosen(0.7) ? pickOne(customers) : null },
      finalStatusOf(month),
    );
  }
}

/** Pays some of the opening balances of customers and vendors. */
async function payOpeningBalances(context: DemoContext, { revenues, expenses, banks }: DemoRecords): Promise<void> {
  const open = await context.command.db.rows<{
    customer_id: string | null;
    vendor_id: string | null;
    document_id: string;
    amount: string;
  }>(sql`
    SELECT customer_id, vendor_id, document_id, amount::numeric(19,2)::text AS amount FROM open_items
    WHERE document_type = 'opening_balance' AND settled = 0 ORDER BY number`);
  for (const { customer_id, vendor_id, document_id, amount } of open) {
    if (isChosen(0.4)) continue;
    const allocations = [{ invoice_id: document_id, amount }];
    const kind = customer_id ? 'revenue' : 'expense';
    const category_id = customer_id ? revenues.get('Services')! : expenses.get('Other')!;
    const facts = {
      date: daysAgo(context, randomNumber(20, 150)),
      category_id,
      bank_account_id: banks.main,
      amount,
      allocations,
    };
    await addDocument(
      context,
      kind,
      { ...facts, party_id: customer_id ?? vendor_id, description: 'Payment of opening balance' },
      'posted',
    );
  }
}

/** Creates some months of bookkeeping. */
export async function addMonths(
  context: DemoContext,
  months: number,
  people: Omit<DemoRecords, 'revenues' | 'expenses'>,
): Promise<void> {
  const kept = {
    ...people,
    revenues: await categoriesOf(context, 'revenue'),
    expenses: await categoriesOf(context, 'expense'),
  };
  const { main, savings, foreign } = people.banks;
  await payOpeningBalances(context, kept);
  for (let month = months - 1; month >= 0; month -= 1) {
    await addRevenues(context, month, kept);
    await addExpenses(context, month, kept);
    const moved = { date: daysAgo(context, month * 30 + randomNumber(1, 5)), reference: 'Monthly saving', fee: '0' };
    await transfer(context.command, {
      ...moved,
      from_account_id: main,
      to_account_id: savings,
      amount: `${randomNumber(3, 9)}00.00`,
    });
  }
  const exchange = { date: daysAgo(context, 12), reference: 'Exchange', fee: '4.50', amount: '1500.00', rate: '0.93' };
  await transfer(context.command, { ...exchange, from_account_id: foreign, to_account_id: main });
}
