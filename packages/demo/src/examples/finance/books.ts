/** Factories for invoices, payments and ledger entries. `$bank_account` is the ID of a record that calls share. */
import type { ExampleRecorder, ExampleFactory, Row } from '../recorder/recorder.ts';

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
  (side: Side, more: object = {}): ExampleFactory =>
  (recorder) =>
    recorder.call(`${SIDES[side].invoices}.create`, {
      body: { [`${SIDES[side].party}_id`]: `$${SIDES[side].party}`, invoice_date: DAY, lines: lineOf('3'), ...more },
    });

/** Creates a posted invoice with its lines. */
const postInvoice =
  (side: Side, more?: object): ExampleFactory =>
  async (recorder, serial) => {
    const { id } = await draft(side, more)(recorder, serial);
    const path = { invoice_id: id };
    await recorder.call(`${SIDES[side].invoices}.post`, { path });
    return await recorder.call(`${SIDES[side].invoices}.show`, { path });
  };

/** Creates a return of its own invoice, and performs the given steps. */
const createReturn =
  (side: Side, isPaid: boolean, ...steps: string[]): ExampleFactory =>
  async (recorder, serial) => {
    const invoice = await postInvoice(side)(recorder, serial);
    if (isPaid) await pay(recorder, side, invoice.id, { amount: '300.00', of: '300.00' });
    const [line] = invoice['lines'] as Row[];
    const lines = [{ invoice_line_id: line!.id, qty: '1' }];
    const body = { invoice_id: invoice.id, return_date: LATER, reason: 'defective', lines };
    const back = await recorder.call(`${SIDES[side].back}.create`, { body });
    for (const step of steps) await recorder.call(`${SIDES[side].back}.${step}`, { path: { return_id: back.id } });
    return back;
  };

/** Pays a posted invoice in full, or in part with a larger payment. */
async function pay(
  recorder: ExampleRecorder,
  side: Side,
  invoice_id: string,
  part: { amount: string; of: string },
): Promise<Row> {
  const [kind, allocations] = side === 'sales' ? (['revenue', 'invoice'] as const) : (['expense', 'bill'] as const);
  const body = {
    date: LATER,
    category_id: `$${kind}_category`,
    bank_account_id: '$bank_account',
    amount: part.amount,
    [`${SIDES[side].party}_id`]: `$${SIDES[side].party}`,
    [`${allocations}_allocations`]: [{ invoice_id, amount: part.of }],
  };
  const { id } = await recorder.call(`${kind}s.create`, { body });
  await recorder.call(`${kind}s.approve`, { path: { id } });
  return await recorder.call(`${kind}s.post`, { path: { id } });
}

/** Creates the credit note of a partly returned invoice. It is applied to the invoice unless the invoice is paid. */
const note =
  (side: Side, list: string, isPaid = true): ExampleFactory =>
  async (recorder, serial) => {
    const back = await createReturn(side, isPaid, 'approve', 'complete')(recorder, serial);
    return await recorder.first(list, { [`${side}_return_id`]: back.id, expand: 'applications' });
  };

/** Creates a receipt or an expense, and performs the given steps. */
const cash =
  (kind: 'revenue' | 'expense', ...steps: string[]): ExampleFactory =>
  async (recorder) => {
    const body = { date: LATER, category_id: `$${kind}_category`, bank_account_id: '$bank_account', amount: '90.00' };
    const made = await recorder.call(`${kind}s.create`, { body });
    for (const step of steps) await recorder.call(`${kind}s.${step}`, { path: { id: made.id } });
    return made;
  };

/** Payment with an amount that is not fully allocated yet. */
const payment =
  (side: Side): ExampleFactory =>
  async (recorder, serial) => {
    const invoice = await postInvoice(side)(recorder, serial);
    const { payment_id: id } = await pay(recorder, side, invoice.id, { amount: '90.00', of: '50.00' });
    return await recorder.first(`${SIDES[side].party}Payments.list`, { 'id[in]': String(id), expand: 'allocations' });
  };

/** Refunds a part of an advance. */
const refund =
  (side: Side): ExampleFactory =>
  async (recorder, serial) => {
    const { id } = await payment(side)(recorder, serial);
    const payments = `${SIDES[side].party}Payments`;
    await recorder.call(`${payments}.refund`, {
      path: { id },
      body: { bank_account_id: '$bank_account', amount: '10.00' },
    });
    const shown = await recorder.first(`${payments}.list`, { 'id[in]': id, expand: 'refunds' });
    return (shown['refunds'] as Row[])[0]!;
  };

/** Creates a revaluation on a separate day. */
const revaluation: ExampleFactory = (recorder, serial) =>
  recorder.call('revaluations.create', {
    body: { date: `2026-09-${String(1 + (serial % 29)).padStart(2, '0')}`, rates: RATES },
  });

const account =
  (kind: string): ExampleFactory =>
  async (recorder) => {
    const query = { per_page: '100', expand: 'type', active: 'true' };
    const all = (await recorder.call('glAccounts.list', { query })) as unknown as (Row & { type: { class: string } })[];
    return all.find(({ type, system_role }) => type.class === kind && !system_role)!;
  };

const commission =
  (...steps: string[]): ExampleFactory =>
  async (recorder, serial) => {
    const { id: invoice_id } = await postInvoice('sales', { agent_id: '$agent' })(recorder, serial);
    const made = await recorder.first('commissions.list', { invoice_id });
    for (const step of steps) await recorder.call(`commissions.${step}`, { path: { id: made.id } });
    return made;
  };

const party =
  (kind: 'customer' | 'vendor'): ExampleFactory =>
  (recorder, serial) =>
    recorder.call(`${kind}s.create`, { body: { name: `Hopper Cycles ${serial}`, payment_terms_days: 30 } });

const plan: ExampleFactory = (recorder, serial) =>
  recorder.call('commissionPlans.create', { body: { name: `Shop assistants ${serial}`, type: 'percent', rate: '5' } });

const transaction =
  (...steps: string[]): ExampleFactory =>
  async (recorder, serial) => {
    const { id: source_id } = await cash('revenue', 'approve', 'post')(recorder, serial);
    const made = await recorder.first('bankTransactions.list', { source_id });
    for (const step of steps) await recorder.call(`bankTransactions.${step}`, { path: { id: made.id } });
    return made;
  };

/** Locks an old period, so that other examples are not affected. */
const lock =
  (scope: string): ExampleFactory =>
  (recorder) =>
    recorder.call('periodLocks.create', { body: { scope, locked_through: '2001-12-31', reason: 'Reported.' } });

const appoint = async (recorder: ExampleRecorder, serial: number): Promise<Row> => {
  const body = {
    user_id: '$colleague',
    name: `Grace Hopper ${serial}`,
    code: `G-${serial}`,
    plan_id: '$commission_plan',
  };
  return await recorder.call('agents.create', { body });
};

export const books: Record<string, ExampleFactory> = {
  customer: party('customer'),
  vendor: party('vendor'),
  revenue_account: account('revenue'),
  expense_account: account('expense'),
  revenue_category: (recorder, serial) =>
    recorder.call('revenueCategories.create', {
      body: { name: `Repairs ${serial}`, gl_account_id: '$revenue_account' },
    }),
  expense_category: (recorder, serial) =>
    recorder.call('expenseCategories.create', { body: { name: `Rent ${serial}`, gl_account_id: '$expense_account' } }),
  bank_account: (recorder, serial) =>
    recorder.call('bankAccounts.create', {
      body: { bank_name: 'First Bank', account_name: `Daily business ${serial}`, opening_balance: '10000.00' },
    }),
  other_bank_account: (recorder, serial) =>
    recorder.call('bankAccounts.create', { body: { bank_name: 'Second Bank', account_name: `Savings ${serial}` } }),
  bank_transfer: (recorder) =>
    recorder.call('bankTransfers.create', {
      body: { from_account_id: '$bank_account', to_account_id: '$other_bank_account', amount: '250.00' },
    }),
  bank_transaction: transaction(),
  reconciled_transaction: transaction('reconcile'),
  banking_lock: lock('banking'),
  purchases_lock: lock('purchases'),
  sales_invoice: draft('sales'),
  posted_sales_invoice: postInvoice('sales'),
  purchase_invoice: draft('purchase'),
  posted_purchase_invoice: postInvoice('purchase'),
  posted_bill_of_services: postInvoice('purchase', {
    lines: [{ description: 'Repairs', qty: '3', unit_price: '100.00' }],
  }),
  sales_return: createReturn('sales', false),
  approved_sales_return: createReturn('sales', false, 'approve'),
  purchase_return: createReturn('purchase', false),
  approved_purchase_return: createReturn('purchase', false, 'approve'),
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
  own_agent: async (recorder, serial) => {
    const { id: user_id } = await recorder.shared('user');
    const body = { user_id, name: `Alan Turing ${serial}`, code: `A-${serial}`, plan_id: '$commission_plan' };
    return await recorder.call('agents.create', { body });
  },
  commission: commission(),
  approved_commission: commission('approve'),
};
