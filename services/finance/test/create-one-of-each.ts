/** Factory for a workspace with a record in every table that a path of finance can reference. */
import { booksFixture } from './books.ts';
import { commissionSteps } from './commissions.ts';
import type { Company, openFinance } from './fixture.ts';

/**
 * Creates one record of each kind in a company's books. Two bank accounts, a transfer of 1.00, opening balances of
 * 9.00, and revenues and expenses of 5.00. For each side an invoice of 20.00 with a return of 10.00, a draft, and an
 * advance of 5.00 with a refund of 1.00. A reversed revaluation, and a commission for an invoice of 10.00. Returns the
 * workspace.
 */
export async function createOneOfEach(
  ours: Company,
  fixture: Awaited<ReturnType<typeof openFinance>>,
): Promise<string> {
  const office = booksFixture(ours);
  const make = (path: string, body: object) => ours.owner.post(path, body);
  const opening = { opening_balance: '10.00', opening_date: '2026-01-01' };
  const [one, other] = [await office.bank(opening), await office.bank({ account_name: 'Second' })];
  await make('/api/bank-transfers/create', { from_account_id: one.id, to_account_id: other.id, amount: '1.00' });
  const cash = { date: '2026-03-10', bank_account_id: one.id, amount: '5.00' };
  await make('/api/revenues/create', { ...cash, category_id: await office.revenueCategory() });
  const vendor = await office.vendor({ opening_balance: '9.00', opening_date: '2026-01-01' });
  const customer = await office.customer({ opening_balance: '9.00', opening_date: '2026-01-01' });
  const paid = { invoice_id: customer.opening_balance_id, amount: '5.00' };
  const settling = { amount: '5.00', bank_account_id: one.id };
  const revenue = await office.approvedRevenue({ ...settling, customer_id: customer.id, invoice_allocations: [paid] });
  await office.act('post', revenue);
  const bill = { invoice_id: vendor.opening_balance_id, amount: '5.00' };
  const expense = await office.approvedExpense({ ...settling, vendor_id: vendor.id, bill_allocations: [bill] });
  await office.act('post', expense, 'expenses');
  await make('/api/expenses/create', { ...cash, category_id: await office.expenseCategory() });
  await make('/api/period-locks/create', { scope: 'payroll', locked_through: '2025-12-31', reason: 'Audited' });
  const invoice = { invoice_date: '2026-03-10', lines: [{ description: 'Advice', qty: '2', unit_price: '10.00' }] };
  const back = { return_date: '2026-03-11', reason: 'other' };
  for (const [noun, party] of [
    ['sales-invoice', { customer_id: customer.id }],
    ['purchase-invoice', { vendor_id: vendor.id }],
  ] as const) {
    const { id, lines } = (await make(`/api/${noun}/create`, { ...invoice, ...party })).body.data;
    await make(`/api/${noun}/post/${id}`, {});
    const returned = { ...back, invoice_id: id, lines: [{ invoice_line_id: lines[0].id, qty: '1' }] };
    const returns = noun === 'sales-invoice' ? 'sales-invoice-return' : 'purchase-return';
    const { id: return_id } = (await make(`/api/${returns}/create`, returned)).body.data;
    for (const verb of ['approve', 'complete']) await make(`/api/${returns}/${verb}/${return_id}`, {});
    await make(`/api/${noun}/create`, { ...invoice, ...party });
  }
  for (const kind of ['customer', 'vendor'] as const) {
    const cash = kind === 'customer' ? 'revenue' : 'expense';
    const advance = { ...settling, kind: 'payment', [`${kind}_id`]: kind === 'customer' ? customer.id : vendor.id };
    await office.act(
      'post',
      await (cash === 'revenue' ? office.approvedRevenue(advance) : office.approvedExpense(advance)),
      `${cash}s`,
    );
    const [{ id }] = (await ours.owner.get(`/api/${kind}-payments`)).body.data;
    await make(`/api/${kind}-payments/refund/${id}`, { bank_account_id: one.id, amount: '1.00' });
  }
  // A reversed revaluation, because a second one on the same day would be rejected.
  const revalued = { date: '2026-03-31', rates: [{ currency: 'USD', rate: '0.9' }] };
  const { id: revaluation } = (await make('/api/revaluations/create', revalued)).body.data;
  await make(`/api/revaluations/reverse/${revaluation}`, {});
  const shop = commissionSteps(ours, fixture);
  await shop.createInvoice((await shop.agent()).id, '1', '10.00');
  return ours.workspace;
}
