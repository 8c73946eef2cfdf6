import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { expectCleanBooks } from '../../../test/audit.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';
import { tradingSteps } from '../../../test/trade.ts';

const { serving, inventory, company } = await openFinance({ replicas: 2 });
afterEach(() => expectCleanBooks(serving));
let ours: Company;
let trade: ReturnType<typeof tradingSteps>;
beforeEach(async () => {
  ours = await company();
  trade = tradingSteps(ours, inventory);
});

const NOUN = 'sales-invoice-return';
const act = (verb: string, id: string, query = '') => trade.act(NOUN, verb, id, query);
const stockOf = (product_id: string) => inventory.shelf.levels.get(product_id);

/** Posts an invoice of three engines, which cost 22.00, and an installation: 184.76 in total. */
async function createInvoice() {
  const invoice = await trade.createFirstInvoice();
  await trade.act('sales-invoice', 'post', invoice.id);
  return invoice;
}
type Invoice = Awaited<ReturnType<typeof createInvoice>>;

const createReturn = ({ id: invoice_id, lines }: Invoice, line: object = {}) =>
  trade.make(NOUN, {
    invoice_id,
    return_date: '2026-03-20',
    reason: 'defective',
    lines: [{ invoice_line_id: lines[0].id, qty: '1', ...line }],
  });
async function createApproved(invoice: Invoice, line: object = {}): Promise<string> {
  const { id } = (await createReturn(invoice, line)).body.data;
  await act('approve', id);
  return id;
}
const readInvoice = async ({ id }: { id: string }) => (await trade.show('sales-invoice', id)).body.data;

/** Records a customer payment that settles an invoice. */
async function payInvoice(invoice: Invoice, amount: string) {
  const bank = (await ours.owner.get('/api/bank-accounts')).body.data[0];
  const settles = [{ invoice_id: invoice.id, amount }];
  const given = { amount, bank_account_id: bank.id, customer_id: invoice.customer.id, invoice_allocations: settles };
  return trade.act('revenues', 'post', await trade.approvedRevenue(given));
}

describe('a sales return', () => {
  // Worked example G8.
  test('returns three engines one by one for 21.59, 21.58 and 21.59, and no fourth', async () => {
    const invoice = await createInvoice();
    for (const [tax, total] of [
      ['3.60', '21.59'],
      ['3.59', '21.58'],
      ['3.60', '21.59'],
    ]) {
      const completed = await act('complete', await createApproved(invoice));
      expect(completed.body.data).toMatchObject({ status: 'completed', net_total: '17.99', tax_total: tax, total });
    }
    expect(await createReturn(invoice)).toMatchObject({
      status: 422,
      body: { code: 'over_returned', details: { returnable: '0' } },
    });
    expect(stockOf(invoice.product_id)).toEqual({ on_hand: 15, value: '110.00' });
    expect(await readInvoice(invoice)).toMatchObject({
      credited: '64.76',
      balance_due: '120.00',
      lines: [{ returned_qty: '3' }, {}],
    });
  });

  test('is posted at the original cost of the goods, and credited to the invoice', async () => {
    const invoice = await createInvoice();
    const id = await createApproved(invoice);
    const completed = await act('complete', id);
    expect(completed.body.data).toMatchObject({
      number: 'SR-2026-00001',
      pending_effects: [],
      allowed_actions: [],
      effects: { stock_moves: [{ qty: '1', cost: '7.33', direction: 'receipt' }] },
    });
    expect(await trade.sides(id)).toEqual({
      'Sales returns': '17.99',
      'Output tax': '3.60',
      'Trade receivables': '-21.59',
      Inventory: '7.33',
      'Cost of goods sold': '-7.33',
    });
    const notes = (await ours.owner.get('/api/credit-notes?expand=applications,customer')).body.data;
    expect(notes).toMatchObject([
      {
        number: 'CN-2026-00001',
        status: 'applied',
        remaining: '0.00',
        applications: [{ invoice_id: invoice.id, amount: '21.59' }],
      },
    ]);
  });

  test('leaves the cost of scrapped goods as an expense', async () => {
    const invoice = await createInvoice();
    await act('complete', await createApproved(invoice, { disposition: 'scrap' }));
    expect(stockOf(invoice.product_id)?.on_hand).toBe(12);
  });

  // Worked example G9.
  test('leaves 63.17 of 184.76 between a payment of 100.00 and the last payment', async () => {
    const invoice = await createInvoice();
    await payInvoice(invoice, '100.00');
    expect(await readInvoice(invoice)).toMatchObject({
      status: 'partially_paid',
      balance_due: '84.76',
      payment_status: 'partial',
    });
    await act('complete', await createApproved(invoice));
    expect(await readInvoice(invoice)).toMatchObject({ balance_due: '63.17', paid: '100.00', credited: '21.59' });
    await payInvoice(invoice, '63.17');
    expect(await readInvoice(invoice)).toMatchObject({ status: 'paid', balance_due: '0.00', payment_status: 'paid' });
    const settles = [{ invoice_id: invoice.id, amount: '0.01' }];
    const more = { amount: '0.01', customer_id: invoice.customer.id, invoice_allocations: settles };
    expect(await trade.revenue(more)).toMatchObject({ status: 409, body: { code: 'over_allocated' } });
    await act('complete', await createApproved(invoice));
    expect((await ours.owner.get('/api/credit-notes')).body.data[0]).toMatchObject({
      status: 'open',
      remaining: '21.58',
    });
  });

  test('marks an unpaid invoice as credited if it returns all lines', async () => {
    const invoice = await createInvoice();
    const lines = invoice.lines.map((line: { id: string; qty: string }) => ({
      invoice_line_id: line.id,
      qty: line.qty,
    }));
    const whole = { invoice_id: invoice.id, return_date: '2026-03-20', reason: 'not_needed', lines };
    const { id } = (await trade.make(NOUN, whole)).body.data;
    await act('approve', id);
    expect((await act('complete', id)).body.data).toMatchObject({ total: '184.76' });
    expect(await readInvoice(invoice)).toMatchObject({
      status: 'credited',
      payment_status: 'credited',
      balance_due: '0.00',
    });
  });

  test('is approved and completed once by fifty concurrent requests to two replicas', async () => {
    const invoice = await createInvoice();
    const { id } = (await createReturn(invoice)).body.data;
    expect(await act('complete', id)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect(new Set(sortedStatuses(await runConcurrently(50, () => act('approve', id))))).toEqual(new Set([200]));
    expect(new Set(sortedStatuses(await runConcurrently(50, () => act('complete', id))))).toEqual(new Set([200]));
    expect(stockOf(invoice.product_id)?.on_hand).toBe(13);
    expect((await ours.owner.get('/api/credit-notes')).body.data).toHaveLength(1);
  });

  test('is approved for only one of two drafts that exceed the sold quantity together', async () => {
    const invoice = await createInvoice();
    const drafts = await runConcurrently(2, () => createReturn(invoice, { qty: '2' }));
    const replies = await Promise.all(drafts.map(({ body }) => act('approve', body.data.id)));
    expect(sortedStatuses(replies)).toEqual([200, 422]);
  });

  test('is completed on approval if the settings require it', async () => {
    const invoice = await createInvoice();
    await serving.sql`UPDATE books SET return_effects_on = 'approve' WHERE workspace_id = ${ours.workspace}`;
    const { id } = (await createReturn(invoice)).body.data;
    expect((await act('approve', id, '?dry_run=true')).body.data).toMatchObject({
      status: 'completed',
      effects: { stock_moves: [{}] },
    });
    expect((await act('approve', id)).body.data).toMatchObject({ status: 'completed', effects: { stock_moves: [{}] } });
    expect(stockOf(invoice.product_id)?.on_hand).toBe(13);
    expect((await act('complete', id)).status).toBe(200);
  });

  test('is deleted only as a draft', async () => {
    const invoice = await createInvoice();
    const { id } = (await createReturn(invoice)).body.data;
    expect(await ours.owner.delete(`/api/${NOUN}/delete/${id}`)).toMatchObject({ status: 200 });
    expect(await ours.owner.delete(`/api/${NOUN}/delete/${await createApproved(invoice)}`)).toMatchObject({
      status: 409,
    });
    expect(await createReturn(await trade.createFirstInvoice())).toMatchObject({
      status: 422,
      body: { errors: { invoice_id: [expect.any(String)] } },
    });
  });
});

// Worked example G10.
test('accepts one of two concurrent payments of 100.00 for an invoice of 184.76', async () => {
  const invoice = await createInvoice();
  const replies = await runConcurrently(2, () => payInvoice(invoice, '100.00'));
  expect(sortedStatuses(replies)).toEqual([200, 409]);
  expect(await readInvoice(invoice)).toMatchObject({ balance_due: '84.76' });
});

describe('a purchase', () => {
  /** Creates a purchase of ten units at 5.00, in dollars at 0.9, with their cost. */
  async function bought(more: object = {}) {
    const vendor = await trade.vendor();
    const product_id = trade.product({ taxes: [trade.tax()] });
    const lines = [
      { product_id, qty: '10' },
      { description: 'Freight', qty: '1', unit_price: '7.00' },
    ];
    const given = { vendor_id: vendor.id, invoice_date: '2026-03-10', lines, vendor_reference: 'V-1', ...more };
    const draft = await trade.make('purchase-invoice', given);
    return { reply: draft, product_id, vendor, given, ...draft.body.data };
  }

  test('receives goods at their net cost, and credits the vendor', async () => {
    const { id, product_id, given } = await bought();
    const posted = await trade.act('purchase-invoice', 'post', id);
    expect(posted.body.data).toMatchObject({ number: 'BILL-2026-00001', total: '67.00', balance_due: '67.00' });
    expect(await trade.sides(id)).toEqual({
      Inventory: '50.00',
      'Purchased services': '7.00',
      'Input tax': '10.00',
      'Trade payables': '-67.00',
    });
    expect(stockOf(product_id)).toEqual({ on_hand: 10, value: '50.00' });
    expect(await trade.make('purchase-invoice', given)).toMatchObject({
      status: 409,
      body: { code: 'already_exists' },
    });
  });

  test('has the same stock value as the ledger in a foreign currency', async () => {
    const { id, product_id } = await bought({ currency: 'USD', rate: '0.9137' });
    await trade.act('purchase-invoice', 'post', id);
    expect(stockOf(product_id)).toEqual({ on_hand: 10, value: '45.69' });
    expect(await trade.sides(id)).toMatchObject({ Inventory: '45.69' });
  });

  test('is returned at the current cost, and the difference is posted', async () => {
    const { id: invoice_id, product_id, lines } = await bought();
    await trade.act('purchase-invoice', 'post', invoice_id);
    inventory.shelf.put(product_id, 10, '60.00');
    const given = {
      invoice_id,
      return_date: '2026-03-20',
      reason: 'damaged',
      lines: [{ invoice_line_id: lines[0].id, qty: '2' }],
    };
    const { id } = (await trade.make('purchase-return', given)).body.data;
    await trade.act('purchase-return', 'approve', id);
    expect((await trade.act('purchase-return', 'complete', id)).body.data).toMatchObject({
      status: 'completed',
      total: '12.00',
    });
    expect(await trade.sides(id)).toMatchObject({
      'Trade payables': '12.00',
      'Input tax': '-2.00',
      Inventory: '-12.00',
    });
    expect((await ours.owner.get('/api/debit-notes?expand=applications,vendor')).body.data).toMatchObject([
      { number: 'DN-2026-00001', status: 'applied' },
    ]);
    expect(
      (await ours.owner.get('/api/purchase-invoice?status=partially_paid&expand=lines,vendor')).body.data,
    ).toMatchObject([{ balance_due: '55.00' }]);
  });
});
