/** Factories for invoices, payments and ledger entries. */
import type { Bench, Recipe, Row } from '../bench/bench.ts';

const DAY = '2026-11-02';
const LATER = '2026-11-09';
const RATES = [
  { currency: 'USD', rate: '0.9231' },
  { currency: 'GBP', rate: '1.1542' },
];
const SIDES = {
  sales: { party: 'customer', back: 'salesReturns', invoices: 'salesInvoices' },
  purchase: { party: 'vendor', back: 'purchaseReturns', invoices: 'purchaseInvoices' },
} as const;
type Side = keyof typeof SIDES;

const lineOf = (qty: string) => [{ product_id: '$product', qty, unit_price: '100.00', tax_ids: [] }];

const draft =
  (side: Side, more: object = {}): Recipe =>
  (bench) =>
    bench.call(`${SIDES[side].invoices}.create`, {
      body: { [`${SIDES[side].party}_id`]: `$${SIDES[side].party}`, invoice_date: DAY, lines: lineOf('3'), ...more },
    });

/** Creates a posted invoice with its lines. */
const posted =
  (side: Side, more?: object): Recipe =>
  async (bench, serial) => {
    const { id } = await draft(side, more)(bench, serial);
    const path = { invoice_id: id };
    await bench.call(`${SIDES[side].invoices}.post`, { path });
    return await bench.call(`${SIDES[side].invoices}.show`, { path });
  };

/** Creates a return of its own invoice, and performs the given steps. */
const given =
  (side: Side, isPaid: boolean, ...steps: string[]): Recipe =>
  async (bench, serial) => {
    const invoice = await posted(side)(bench, serial);
    if (isPaid) await pay(bench, side, invoice.id, { amount: '300.00', of: '300.00' });
    const [line] = invoice['lines'] as Row[];
    const lines = [{ invoice_line_id: line!.id, qty: '1' }];
    const body = { invoice_id: invoice.id, return_date: LATER, reason: 'defective', lines };
    const back = await bench.call(`${SIDES[side].back}.create`, { body });
    for (const step of steps) await bench.call(`${SIDES[side].back}.${step}`, { path: { return_id: back.id } });
    return back;
  };

/** Pays a posted invoice in full, or in part with a larger payment. */
async function pay(bench: Bench, side: Side, invoice_id: string, part: { amount: string; of: string }): Promise<Row> {
  const [kind, allocations] = side === 'sales' ? (['revenue', 'invoice'] as const) : (['expense', 'bill'] as const);
  const body = {
    date: LATER,
    category_id: `$${kind}_category`,
    bank_account_id: '$bank_account',
    amount: part.amount,
    [`${SIDES[side].party}_id`]: `$${SIDES[side].party}`,
    [`${allocations}_allocations`]: [{ invoice_id, amount: part.of }],
  };
  const { id } = await bench.call(`${kind}s.create`, { body });
  await bench.call(`${kind}s.approve`, { path: { id } });
  return await bench.call(`${kind}s.post`, { path: { id } });
}

/** Creates the credit note of a partly returned invoice. It is applied to the invoice unless the invoice is paid. */
const note =
  (side: Side, list: string, isPaid = true): Recipe =>
  async (bench, serial) => {
    const back = await given(side, isPaid, 'approve', 'complete')(bench, serial);
    return await bench.first(list, { [`${side}_return_id`]: back.id, expand: 'applications' });
  };

/** Creates a receipt or an expense, and performs the given steps. */
const cash =
  (kind: 'revenue' | 'expense', ...steps: string[]): Recipe =>
  async (bench) => {
    const body = { date: LATER, category_id: `$${kind}_category`, bank_account_id: '$bank_account', amount: '90.00' };
    const made = await bench.call(`${kind}s.create`, { body });
    for (const step of steps) await bench.call(`${kind}s.${step}`, { path: { id: made.id } });
    return made;
  };

/** Payment with an amount that is not fully allocated yet. */
const payment =
  (side: Side): Recipe =>
  async (bench, serial) => {
    const invoice = await posted(side)(bench, serial);
    const { payment_id: id } = await pay(bench, side, invoice.id, { amount: '90.00', of: '50.00' });
    return await bench.first(`${SIDES[side].party}Payments.list`, { 'id[in]': String(id), expand: 'allocations' });
  };

/** Refunds a part of an advance. */
const refund =
  (side: Side): Recipe =>
  async (bench, serial) => {
    const { id } = await payment(side)(bench, serial);
    const payments = `${SIDES[side].party}Payments`;
    await bench.call(`${payments}.refund`, {
      path: { id },
      body: { bank_account_id: '$bank_account', amount: '10.00' },
    });
    const shown = await bench.first(`${payments}.list`, { 'id[in]': id, expand: 'refunds' });
    return (shown['refunds'] as Row[])[0]!;
  };

/** Creates a revaluation on a separate day. */
const revaluation: Recipe = (bench, serial) =>
  bench.call('revaluations.create', {
    body: { date: `2026-09-${String(1 + (serial % 29)).padStart(2, '0')}`, rates: RATES },
  });

const account =
  (kind: string): Recipe =>
  async (bench) => {
    const query = { per_page: '100', expand: 'type', active: 'true' };
    const all = (await bench.call('glAccounts.list', { query })) as unknown as (Row & { type: { class: string } })[];
    return all.find(({ type, system_role }) => type.class === kind && !system_role)!;
  };

const commission =
  (...steps: string[]): Recipe =>
  async (bench, serial) => {
    const { id: invoice_id } = await posted('sales', { agent_id: '$agent' })(bench, serial);
    const made = await bench.first('commissions.list', { invoice_id });
    for (const step of steps) await bench.call(`commissions.${step}`, { path: { id: made.id } });
    return made;
  };

const party =
  (kind: 'customer' | 'vendor'): Recipe =>
  (bench, serial) =>
    bench.call(`${kind}s.create`, { body: { name: `Hopper Cycles ${serial}`, payment_terms_days: 30 } });

const plan: Recipe = (bench, serial) =>
  bench.call('commissionPlans.create', { body: { name: `Shop assistants ${serial}`, type: 'percent', rate: '5' } });

const transaction =
  (...steps: string[]): Recipe =>
  async (bench, serial) => {
    const { id: source_id } = await cash('revenue', 'approve', 'post')(bench, serial);
    const made = await bench.first('bankTransactions.list', { source_id });
    for (const step of steps) await bench.call(`bankTransactions.${step}`, { path: { id: made.id } });
    return made;
  };

/** Locks an old period, so that other examples are not affected. */
const lock =
  (scope: string): Recipe =>
  (bench) =>
    bench.call('periodLocks.create', { body: { scope, locked_through: '2001-12-31', reason: 'Reported.' } });

const appoint = async (bench: Bench, serial: number): Promise<Row> => {
  const body = {
    user_id: '$colleague',
    name: `Grace Hopper ${serial}`,
    code: `G-${serial}`,
    plan_id: '$commission_plan',
  };
  return await bench.call('agents.create', { body });
};

export const books: Record<string, Recipe> = {
  customer: party('customer'),
  vendor: party('vendor'),
  revenue_account: account('revenue'),
  expense_account: account('expense'),
  revenue_category: (bench, serial) =>
    bench.call('revenueCategories.create', { body: { name: `Repairs ${serial}`, gl_account_id: '$revenue_account' } }),
  expense_category: (bench, serial) =>
    bench.call('expenseCategories.create', { body: { name: `Rent ${serial}`, gl_account_id: '$expense_account' } }),
  bank_account: (bench, serial) =>
    bench.call('bankAccounts.create', {
      body: { bank_name: 'First Bank', account_name: `Daily business ${serial}`, opening_balance: '10000.00' },
    }),
  other_bank_account: (bench, serial) =>
    bench.call('bankAccounts.create', { body: { bank_name: 'Second Bank', account_name: `Savings ${serial}` } }),
  bank_transfer: (bench) =>
    bench.call('bankTransfers.create', {
      body: { from_account_id: '$bank_account', to_account_id: '$other_bank_account', amount: '250.00' },
    }),
  bank_transaction: transaction(),
  reconciled_transaction: transaction('reconcile'),
  banking_lock: lock('banking'),
  purchases_lock: lock('purchases'),
  sales_invoice: draft('sales'),
  posted_sales_invoice: posted('sales'),
  purchase_invoice: draft('purchase'),
  posted_purchase_invoice: posted('purchase'),
  posted_bill_of_services: posted('purchase', { lines: [{ description: 'Repairs', qty: '3', unit_price: '100.00' }] }),
  sales_return: given('sales', false),
  approved_sales_return: given('sales', false, 'approve'),
  purchase_return: given('purchase', false),
  approved_purchase_return: given('purchase', false, 'approve'),
  credit_note: note('sales', 'creditNotes.list'),
  debit_note: note('purchase', 'debitNotes.list'),
  applied_credit_note: note('sales', 'creditNotes.list', false),
  applied_debit_note: note('purchase', 'debitNotes.list', false),
  revenue: cash('revenue'),
  approved_revenue: cash('revenue', 'approve'),
  posted_revenue: cash('revenue', 'approve', 'post'),
  expense: cash('expense'),
  approved_expense: cash('expense', 'approve'),
  posted_expense: cash('expense', 'approve', 'post'),
  customer_payment: payment('sales'),
  vendor_payment: payment('purchase'),
  customer_refund: refund('sales'),
  vendor_refund: refund('purchase'),
  revaluation,
  commission_plan: plan,
  agent: appoint,
  own_agent: async (bench, serial) => {
    const { id: user_id } = await bench.shared('user');
    const body = { user_id, name: `Alan Turing ${serial}`, code: `A-${serial}`, plan_id: '$commission_plan' };
    return await bench.call('agents.create', { body });
  },
  commission: commission(),
  approved_commission: commission('approve'),
};
