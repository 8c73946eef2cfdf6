import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { freezeClock, runConcurrently } from '@suite/testing';
import { expectCleanBooks } from '../../../test/audit.ts';
import { balancesOf } from '../../../test/books.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';
import { stockSettlement } from '../../../test/stock-settlement.ts';
import { tradingSteps } from '../../../test/trade.ts';

const { serving, inventory, company } = await openFinance({ replicas: 2 });
afterEach(() => expectCleanBooks(serving));
let ours: Company;
let trade: ReturnType<typeof tradingSteps>;
beforeEach(async () => {
  ours = await company();
  trade = tradingSteps(ours, inventory);
});

const { settle, states } = stockSettlement(serving);

const cancel = (id: string, query = '') => trade.act('sales-invoice', 'cancel', id, query);
const stockOf = (product_id: string) => inventory.shelf.levels.get(product_id);
const eventsOf = (id: string) =>
  serving.sql`SELECT data FROM journal_events WHERE aggregate_id = ${id} AND type LIKE 'finance.%.cancelled'`;
const conflict = (code: string) => ({ status: 409, body: { code } });

/** Posts an invoice of three engines, which cost 22.00, and an installation: 184.76 in total. */
async function createPosted() {
  const invoice = await trade.createFirstInvoice();
  await trade.act('sales-invoice', 'post', invoice.id);
  return invoice;
}

/** Creates a return for two units of an invoice. */
async function createReturn(
  { id: invoice_id, lines }: Awaited<ReturnType<typeof createPosted>>,
  qty = '2',
): Promise<string> {
  const back = { invoice_id, return_date: '2026-03-20', reason: 'defective' };
  const part = { invoice_line_id: lines[0].id, qty };
  return (await trade.make('sales-invoice-return', { ...back, lines: [part] })).body.data?.id;
}
const back = (verb: string, id: string) => trade.act('sales-invoice-return', verb, id);

async function pay({ id: invoice_id, customer }: Awaited<ReturnType<typeof createPosted>>, amount: string) {
  const bank = (await ours.owner.get('/api/bank-accounts')).body.data[0];
  const given = { amount, bank_account_id: bank.id, customer_id: customer.id };
  const settles = { invoice_allocations: [{ invoice_id, amount }] };
  return trade.act('revenues', 'post', await trade.approvedRevenue({ ...given, ...settles }));
}

describe('cancelling a posted sale', () => {
  test('reverses the entry and the goods once', async () => {
    const { id, product_id, customer } = await createPosted();
    const replies = await runConcurrently(20, () => cancel(id));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(replies[0]!.body.data).toMatchObject({
      status: 'cancelled',
      number: 'INV-2026-00001',
      balance_due: '0.00',
      is_overdue: false,
      pending_effects: ['reverse_stock'],
      allowed_actions: [],
    });
    const entries = (await ours.owner.get(`/api/journal-entries?source_id=${id}`)).body.data;
    const days = entries.map(({ status, date }: Record<string, string>) => `${status} ${date}`);
    expect(days.toSorted()).toEqual(['posted 2026-03-10', 'reversed 2026-03-10']);
    expect((await ours.owner.get(`/api/customers?code=${customer.code}`)).body.data).toMatchObject([
      { balance: '0.00' },
    ]);
    await settle();
    expect(stockOf(product_id)).toEqual({ on_hand: 15, value: '110.00' });
    expect((await trade.show('sales-invoice', id)).body.data).toMatchObject({ pending_effects: [] });
    const events = await eventsOf(id);
    expect(events).toMatchObject([
      { data: { number: 'INV-2026-00001', lines: [{ product_id, qty: '3' }, { qty: '1' }] } },
    ]);
  });

  test('keeps its number, and the next sale gets the next number', async () => {
    await cancel((await createPosted()).id);
    const { id } = await createPosted();
    expect((await trade.show('sales-invoice', id)).body.data).toMatchObject({ number: 'INV-2026-00002' });
  });

  test('supports a dry run', async () => {
    const { id } = await createPosted();
    expect((await cancel(id, '?dry_run=true')).body.data).toMatchObject({ status: 'cancelled' });
    expect((await trade.show('sales-invoice', id)).body.data).toMatchObject({
      status: 'posted',
      balance_due: '184.76',
    });
  });

  test('is rejected for drafts, and for paid or returned invoices', async () => {
    expect(await cancel((await trade.createFirstInvoice()).id)).toMatchObject(conflict('invalid_transition'));
    const paid = await createPosted();
    await pay(paid, '100.00');
    expect(await cancel(paid.id)).toMatchObject(conflict('invalid_transition'));
    const coming = await createPosted();
    await createReturn(coming);
    expect(await cancel(coming.id)).toMatchObject(conflict('has_returns'));
    expect((await trade.show('sales-invoice', coming.id)).body.data).toMatchObject({
      status: 'posted',
      pending_effects: [],
    });
    expect(await cancel(randomUUID())).toMatchObject({ status: 404 });
  });

  test('is rejected in a locked period', async () => {
    const { id } = await createPosted();
    await ours.owner.post('/api/period-locks/create', {
      scope: 'sales',
      locked_through: '2026-03-31',
      reason: 'Filed',
    });
    expect(await cancel(id)).toMatchObject(conflict('period_locked'));
  });

  test('succeeds only if no concurrent payment or return does', async () => {
    const sales = await Promise.all([createPosted(), createPosted(), createPosted(), createPosted()]);
    await Promise.all(
      sales.flatMap((sale) => [
        cancel(sale.id),
        // Rejected if the sale is already cancelled.
        pay(sale, '1.00').catch(() => undefined),
        // Rejected if the sale is already cancelled.
        createReturn(sale).then((id) => (id ? back('approve', id) : undefined)),
      ]),
    );
    for (const { id } of sales) {
      const { status, paid } = (await trade.show('sales-invoice', id)).body.data;
      const returns = (await ours.owner.get(`/api/sales-invoice-return?invoice_id=${id}&status=approved`)).body.meta
        .total;
      expect([
        ['cancelled', '0.00', 0],
        ['partially_paid', '1.00', 0],
        ['partially_paid', '1.00', 1],
      ]).toContainEqual([status, paid, returns]);
    }
  });
});

describe('cancelling a posted purchase', () => {
  const bought = async (line: object) => {
    const vendor = await trade.vendor();
    const body = { vendor_id: vendor.id, invoice_date: '2026-03-01', lines: [line] };
    const { id } = (await trade.make('purchase-invoice', body)).body.data;
    await trade.act('purchase-invoice', 'post', id);
    return id;
  };

  test('reverses a purchase of services', async () => {
    const id = await bought({ description: 'Cleaning', qty: '1', unit_price: '80.00' });
    expect((await trade.act('purchase-invoice', 'cancel', id)).body.data).toMatchObject({ status: 'cancelled' });
    expect(await trade.act('purchase-invoice', 'post', id)).toMatchObject(conflict('invalid_transition'));
    expect(await eventsOf(id)).toMatchObject([{ data: { purchase_invoice_id: id } }]);
  });

  const cancelPurchase = (id: string, query = '') => trade.act('purchase-invoice', 'cancel', id, query);
  const readInvoice = async (id: string) => (await trade.show('purchase-invoice', id)).body.data;

  test('reverses entry and goods once if the goods are untouched', async () => {
    const product_id = trade.product();
    const id = await bought({ product_id, qty: '2' });
    expect((await readInvoice(id)).allowed_actions).toContain('cancel');
    const replies = await runConcurrently(10, () => cancelPurchase(id));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(replies[0]!.body.data).toMatchObject({ status: 'cancelled', pending_effects: ['reverse_stock'] });
    // The goods cannot be sold in the meantime.
    expect(inventory.shelf.free(product_id)).toBe(0);
    await settle();
    expect(stockOf(product_id)).toEqual({ on_hand: 0, value: '0.00' });
    expect(await readInvoice(id)).toMatchObject({ status: 'cancelled', pending_effects: [], balance_due: '0.00' });
    expect(Object.values(await balancesOf(ours)).every((balance) => balance === '0.00')).toBe(true);
  });

  test('is rejected if goods are missing, reports them, and changes nothing', async () => {
    const product_id = trade.product();
    const id = await bought({ product_id, qty: '2' });
    const level = stockOf(product_id)!;
    inventory.shelf.put(product_id, 1, '5.00');
    const missing = { details: { lines: [{ product_id, requested: '2', available: '1' }] } };
    for (const query of ['', '?dry_run=true', '']) {
      expect(await cancelPurchase(id, query)).toMatchObject({
        status: 409,
        body: { code: 'insufficient_stock', ...missing },
      });
    }
    expect(await readInvoice(id)).toMatchObject({ status: 'posted', pending_effects: [] });
    inventory.shelf.put(product_id, level.on_hand, level.value);
    expect((await cancelPurchase(id, '?dry_run=true')).body.data).toMatchObject({ status: 'cancelled' });
    expect(inventory.shelf.free(product_id)).toBe(2);
    expect((await cancelPurchase(id)).body.data).toMatchObject({ status: 'cancelled' });
  });

  test('releases the goods if it is never completed', async () => {
    const product_id = trade.product();
    const id = await bought({ product_id, qty: '2' });
    const clock = freezeClock('2026-11-21T10:00:00Z');
    inventory.trouble.push('crashed');
    expect((await cancelPurchase(id)).status).toBeGreaterThanOrEqual(500);
    expect(await states(id)).toEqual(['cancelling']);
    clock.goTo('2026-11-21T10:01:00Z');
    await settle();
    expect([await states(id), inventory.shelf.free(product_id)]).toEqual([['settled'], 2]);
    expect((await cancelPurchase(id)).body.data).toMatchObject({ status: 'cancelled' });
    await settle();
    expect([await states(id), stockOf(product_id)]).toEqual([['reversed'], { on_hand: 0, value: '0.00' }]);
  });
});

describe('cancelling an approved return', () => {
  test('allows a new return of its quantities, to the cent', async () => {
    const invoice = await createPosted();
    const [first, second] = [await createReturn(invoice, '1'), await createReturn(invoice, '1')];
    await back('approve', first);
    await back('approve', second);
    expect(await back('cancel', first)).toMatchObject(conflict('later_return'));
    const replies = await runConcurrently(10, () => back('cancel', second));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(replies[0]!.body.data).toMatchObject({ status: 'cancelled', allowed_actions: [] });
    for (const verb of ['approve', 'complete'])
      expect(await back(verb, second)).toMatchObject(conflict('invalid_transition'));
    const rest = await createReturn(invoice, '2');
    for (const id of [first, rest]) {
      await back('approve', id);
      expect((await back('complete', id)).body.data).toMatchObject({ status: 'completed' });
    }
    // Computes 10.79 of tax in three parts. The first is 3.60.
    const totals = (
      await ours.owner.get(`/api/sales-invoice-return?invoice_id=${invoice.id}&status=completed&sort=number`)
    ).body;
    expect(totals.data.map(({ tax_total }: { tax_total: string }) => tax_total)).toEqual(['3.60', '7.19']);
  });

  test('is rejected for a draft and for a completed return', async () => {
    const invoice = await createPosted();
    const id = await createReturn(invoice);
    expect(await back('cancel', id)).toMatchObject(conflict('invalid_transition'));
    await back('approve', id);
    await back('complete', id);
    expect(await back('cancel', id)).toMatchObject(conflict('invalid_transition'));
  });

  test('succeeds only if its concurrent completion does not', async () => {
    const ids = await Promise.all([1, 2, 3, 4].map(async () => createReturn(await createPosted())));
    for (const id of ids) await back('approve', id);
    await Promise.all(ids.flatMap((id) => [back('cancel', id), back('complete', id)]));
    await settle();
    for (const id of ids) {
      const { status, credit_note_id } = (await trade.show('sales-invoice-return', id)).body.data;
      expect([status, credit_note_id === null]).toEqual(
        status === 'cancelled' ? ['cancelled', true] : ['completed', false],
      );
    }
  });
});

test('goods of a cancelled invoice are pending in sound books until they return', async () => {
  const { id, product_id } = await createPosted();
  // The three units cost 22.00.
  Object.assign(inventory.stock, { value: '-22.00', sources: new Map([[id, '-22.00']]) });
  await cancel(id);
  const proof = async () => (await ours.owner.get('/api/accounting/integrity')).body.data;
  const during = await proof();
  expect(during).toMatchObject({
    sound: true,
    pending: [{ type: 'sales_invoice', id, number: 'INV-2026-00001', value: '-22.00' }],
  });
  await settle();
  Object.assign(inventory.stock, { value: '0.00', sources: new Map() });
  expect(await proof()).toMatchObject({ sound: true, pending: [] });
  expect(stockOf(product_id)).toMatchObject({ on_hand: 15 });
});
