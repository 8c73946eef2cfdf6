import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Member } from '@suite/testing';
import { findAllViolations } from '@suite/tools/audit';
import { withIdempotencyKey } from '@suite/testing/suite/http-caller';
import { useSharedSuite } from '@suite/testing/suite/started';
import { openWorkspace } from '@suite/testing/suite/workspace';
import { type Merchant, merchant } from './merchant.ts';
import { atEachReplica } from './replicas.ts';
import { mapConcurrently, callAllReplicas, countReplies, TIMES } from './concurrently.ts';
import { different, expectedNumbers, numbersOf, assertionsOn } from './assertions.ts';

/** Far longer than needed, so that a busy machine does not fail tests that count results. */
jest.setTimeout(180_000);
/**
 * Goods and money in two databases, each behind two replicas, and fifty callers that do the same thing concurrently.
 */
const suite = await useSharedSuite('doubled');
let finance: Member[];
let inventory: Member[];
let crm: Member[];
let shop: Merchant;

beforeAll(async () => {
  const { owner } = await openWorkspace(suite);
  [finance, inventory, crm] = ['finance', 'inventory', 'crm'].map((service) =>
    atEachReplica(suite, service, owner),
  ) as [Member[], Member[], Member[]];
  shop = await merchant(owner);
}, 240_000);

const { count, levels, movements, underWay } = assertionsOn(suite);
const post = (id: string) => (replica: Member) => replica.post(`/api/sales-invoice/post/${id}`);
const invoice = (id: string) => shop.show(`/api/sales-invoice/show/${id}`);

test('runs two replicas of each service', () => {
  expect([finance.length, inventory.length, crm.length]).toEqual([2, 2, 2]);
});

describe('fifty concurrent calls over two replicas', () => {
  test('post one invoice: one number, one entry, and the goods leave once', async () => {
    const product_id = await shop.goods('60', '5.00');
    const id = await shop.draft([{ product_id, qty: '7' }], '2021-03-02');
    const replies = await callAllReplicas(finance, post(id));

    expect(countReplies(replies)).toEqual({ 200: TIMES });
    expect(different(replies, 'number')).toEqual(['INV-2021-00001']);
    expect(different(replies, 'journal_id')).toHaveLength(1);
    expect(await count('finance', 'journal_entries WHERE source_id = $1', id)).toBe(1);
    expect(await count('finance', 'open_items WHERE document_id = $1', id)).toBe(1);
    expect(
      await count('finance', `journal_events WHERE aggregate_id = $1 AND type = 'finance.sales_invoice.posted'`, id),
    ).toBe(1);
    expect(await movements(id)).toBe(1);
    expect(await levels(product_id)).toMatchObject([{ on_hand: '53', value: '265' }]);
  });

  test('post two hundred invoices: their numbers are 1 to 200 and the last cent is used', async () => {
    const many = 200;
    const product_id = await shop.goods(String(many), '1.6667');
    const drafts = await mapConcurrently(Array.from({ length: many }), () =>
      shop.draft([{ product_id, qty: '1' }], '2022-05-06'),
    );
    const replies = await mapConcurrently(
      drafts,
      async (id, at) => (await callAllReplicas([finance[at % 2]!], post(id), 1))[0]!,
    );

    expect(countReplies(replies)).toEqual({ 200: many });
    expect(numbersOf(replies)).toEqual(expectedNumbers('INV-2022', many));
    expect(await levels(product_id)).toMatchObject([{ on_hand: '0', value: '0' }]);
  });

  test('buy one each of ten pieces: ten succeed, forty receive insufficient_stock', async () => {
    const product_id = await shop.goods('10', '3.33');
    const drafts = await mapConcurrently(Array.from({ length: TIMES }), () =>
      shop.draft([{ product_id, qty: '1' }], '2023-07-08'),
    );
    const replies = await callAllReplicas(finance, (replica, at) => post(drafts[at]!)(replica));

    expect(countReplies(replies)).toEqual({ 200: 10, '409 insufficient_stock': 40 });
    const sold = replies.filter(({ status }) => status === 200);
    expect(numbersOf(sold)).toEqual(expectedNumbers('INV-2023', 10));
    for (const { body } of replies.filter(({ status }) => status === 409))
      expect(body.details.lines).toMatchObject([{ product_id, requested: '1', available: '0' }]);
    expect(await levels(product_id)).toMatchObject([{ on_hand: '0', value: '0' }]);
    expect(await count('inventory', 'stock_movements WHERE product_id = $1 AND qty < 0', product_id)).toBe(10);
    expect(await underWay(drafts)).toBe(0);
    const refused = drafts.filter((_, at) => replies[at]!.status === 409);
    for (const id of refused.slice(0, 3))
      expect(await invoice(id)).toMatchObject({ status: 'draft', number: null, pending_effects: [] });
    expect(await count('finance', `sales_invoices WHERE id = ANY($1::uuid[]) AND status = 'draft'`, refused)).toBe(40);
  });
});

describe('one balance with concurrent payments', () => {
  /** Posts an invoice of 184.76. */
  const owed = async () => {
    const product_id = await shop.goods('1', '22.00');
    const id = await shop.draft([{ product_id, qty: '1', unit_price: '184.76' }]);
    await shop.send(`/api/sales-invoice/post/${id}`);
    return id;
  };
  const pay = (payments: readonly string[]) =>
    callAllReplicas(finance, (replica, at) => replica.post(`/api/revenues/post/${payments[at]}`), payments.length);

  // Worked example G10.
  test.each([1, 2, 3, 4])('accepts one of two payments of 100.00 for 184.76 (round %i)', async () => {
    const id = await owed();
    const payments = await Promise.all(['100.00', '100.00'].map((amount) => shop.approvedMoney(id, amount)));
    const replies = await pay(payments);
    expect(countReplies(replies)).toEqual({ 200: 1, '409 over_allocated': 1 });
    expect(replies.find(({ status }) => status === 409)?.body.details).toMatchObject({ open: '84.76' });
    expect(await invoice(id)).toMatchObject({ status: 'partially_paid', paid: '100.00', balance_due: '84.76' });
  });

  test('accepts eighteen of fifty payments of 10.00, and stores nothing of the others', async () => {
    const id = await owed();
    const payments = await mapConcurrently(Array.from({ length: TIMES }), () => shop.approvedMoney(id, '10.00'));
    const replies = await pay(payments);
    expect(countReplies(replies)).toEqual({ 200: 18, '409 over_allocated': 32 });
    expect(await invoice(id)).toMatchObject({ status: 'partially_paid', paid: '180.00', balance_due: '4.76' });
    expect(await count('finance', 'payments WHERE source_id = ANY($1::uuid[])', payments)).toBe(18);
    expect(await count('finance', 'journal_entries WHERE source_id = ANY($1::uuid[])', payments)).toBe(18);
  });

  test('accepts one payment once when it is posted fifty times', async () => {
    const id = await owed();
    const payment = await shop.approvedMoney(id, '84.76');
    const replies = await callAllReplicas(finance, (replica) => replica.post(`/api/revenues/post/${payment}`));
    expect(countReplies(replies)).toEqual({ 200: TIMES });
    expect(different(replies, 'payment_id')).toHaveLength(1);
    expect(await invoice(id)).toMatchObject({ paid: '84.76', balance_due: '100.00' });
  });
});

describe('concurrent returns and transfers', () => {
  test('credit and restock a return once when fifty callers complete it', async () => {
    const product_id = await shop.goods('10', '4.00');
    const { id, invoice_line_id } = await shop.sale(product_id, '5');
    const back = await shop.send('/api/sales-invoice-return/create', {
      invoice_id: id,
      return_date: '2026-03-03',
      reason: 'defective',
      lines: [{ invoice_line_id, qty: '3' }],
    });
    const act = (verb: string) =>
      callAllReplicas(finance, (replica) => replica.post(`/api/sales-invoice-return/${verb}/${back.id}`));

    const approved = await act('approve');
    expect(countReplies(approved)).toEqual({ 200: TIMES });
    expect(different(approved, 'number')).toHaveLength(1);
    const completed = await act('complete');
    expect(countReplies(completed)).toEqual({ 200: TIMES });
    expect(different(completed, 'credit_note_id')).toHaveLength(1);
    expect(await count('finance', 'notes WHERE sales_return_id = $1', back.id)).toBe(1);
    expect(await movements(back.id)).toBe(1);
    expect(await levels(product_id)).toMatchObject([{ on_hand: '8', value: '32' }]);
    expect(await invoice(id)).toMatchObject({ credited: '59.97', balance_due: '39.98' });
  });

  test('approve one of fifty full returns, and reject the others with over_returned', async () => {
    const product_id = await shop.goods('5', '4.00');
    const { id, invoice_line_id } = await shop.sale(product_id, '5');
    const lines = [{ invoice_line_id, qty: '5' }];
    const draft = { invoice_id: id, return_date: '2026-03-03', reason: 'other', lines };
    const backs = await mapConcurrently(Array.from({ length: TIMES }), () =>
      shop.send('/api/sales-invoice-return/create', draft),
    );
    const replies = await callAllReplicas(finance, (replica, at) =>
      replica.post(`/api/sales-invoice-return/approve/${backs[at]!.id}`),
    );
    expect(countReplies(replies)).toEqual({ 200: 1, '422 over_returned': TIMES - 1 });
    expect((await invoice(id)).lines).toMatchObject([{ returned_qty: '5' }]);
  });

  test('complete transfers in both directions without a deadlock', async () => {
    const { id: far } = await shop.send('/api/warehouse/create', { name: 'Far away', code: 'FAR' });
    const products = [await shop.goods('100', '1.00'), await shop.goods('100', '7.77')];
    for (const product_id of products) {
      const there = { product_id, warehouse_id: far, qty: '100', unit_cost: '3.21' };
      await shop.send('/api/product-stock/add', there);
    }
    const ways = [
      { from_warehouse_id: shop.warehouse_id, to_warehouse_id: far, products },
      { from_warehouse_id: far, to_warehouse_id: shop.warehouse_id, products: products.toReversed() },
    ];
    const replies = await callAllReplicas(inventory, (replica, at) => {
      const { products: carried, ...way } = ways[Math.floor(at / 2) % 2]!;
      const lines = carried.map((product_id) => ({ product_id, qty: '4' }));
      const key = withIdempotencyKey(`transfer ${at}`);
      return replica.post('/api/transfer/create', { ...way, date: '2024-09-10', lines }, key);
    });

    expect(countReplies(replies)).toEqual({ 201: TIMES });
    expect(numbersOf(replies)).toEqual(expectedNumbers('STF-2024', TIMES));
    for (const [at, product_id] of products.entries()) {
      const there = await levels(product_id);
      const in_warehouse = (id: string) => there.find(({ warehouse_id }) => warehouse_id === id);
      // 26 transfers leave the warehouse, and 24 return.
      expect(in_warehouse(shop.warehouse_id)?.on_hand).toBe('92');
      expect(in_warehouse(far)?.on_hand).toBe('108');
      const value = there.reduce((sum, level) => sum + Number(level.value), 0);
      expect(value.toFixed(2)).toBe(at === 0 ? '421.00' : '1098.00');
    }
  });
});

describe('concurrent conversions of orders and proposals', () => {
  const lines = (product_id: string) => [{ product_id, qty: '2', unit_price: '10.00' }];
  const order = async (product_id: string) => {
    const { customer_id, warehouse_id } = shop;
    const asked = { customer_id, warehouse_id, lines: lines(product_id) };
    return (await shop.send('/api/sales/sales-order/store', asked)).id;
  };
  const confirm = (id: string) => (replica: Member) =>
    replica.post(`/api/sales/sales-order/update/${id}`, { status: 'confirmed' });

  test('create one draft when fifty callers convert a proposal', async () => {
    const product_id = await shop.goods('2', '1.00');
    const proposal = await shop.send('/api/sales-proposal/create', {
      customer_id: shop.customer_id,
      valid_until: '2099-12-31',
      lines: lines(product_id),
    });
    for (const step of ['sent', 'accept']) await shop.send(`/api/sales-proposal/${step}/${proposal.id}`);
    const replies = await callAllReplicas(crm, (replica) =>
      replica.post(`/api/sales-proposal/convert-to-invoice/${proposal.id}`),
    );
    expect(countReplies(replies)).toEqual({ 200: TIMES });
    expect(different(replies, 'invoice_id')).toHaveLength(1);
    expect(await count('finance', 'sales_invoices WHERE proposal_id = $1', proposal.id)).toBe(1);
  });

  test('reserve the goods of an order once when fifty callers confirm it', async () => {
    const product_id = await shop.goods('10', '1.00');
    const id = await order(product_id);
    const replies = await callAllReplicas(crm, confirm(id));
    expect(countReplies(replies)).toEqual({ 200: TIMES });
    expect(different(replies, 'number')).toHaveLength(1);
    expect(await count('inventory', 'reservations WHERE source_id = $1', id)).toBe(1);
    expect(await levels(product_id)).toMatchObject([{ on_hand: '10', reserved: '2' }]);
  });

  test('confirm five of fifty orders for ten pieces, and oversell nothing', async () => {
    const product_id = await shop.goods('10', '1.00');
    const orders = await mapConcurrently(Array.from({ length: TIMES }), () => order(product_id));
    const replies = await callAllReplicas(crm, (replica, at) => confirm(orders[at]!)(replica));
    expect(countReplies(replies)).toEqual({ 200: 5, '409 insufficient_stock': 45 });
    expect(await levels(product_id)).toMatchObject([{ on_hand: '10', reserved: '10' }]);
  });
});

test('the auditor finds no fault', async () => {
  expect(await findAllViolations(suite)).toEqual([]);
}, 240_000);
