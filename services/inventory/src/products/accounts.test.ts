import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { auditViolations, issueOf, openInventory, type Shop } from '../../test/fixture.ts';

const { serving, finance, shop: openShop } = await openInventory();
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});

const create = (body: object) => shop.owner.post('/api/product/create', { name: 'Chair', sku: randomUUID(), ...body });
const update = (id: string, body: object) => shop.owner.post(`/api/product/update/${id}`, body);
const readEvents = (type: string, id: string) =>
  serving.sql<{ data: Record<string, unknown> }>`
    SELECT data FROM journal_events WHERE type = ${`inventory.${type}`} AND aggregate_id = ${id} ORDER BY position`;

describe('the accounts of a product', () => {
  test.each(['income', 'expense', 'stock'] as const)('are checked with finance: %s account', async (use) => {
    const [field, right] = [`${use}_account_id`, finance.account(use)];
    const wrong = { status: 422, body: { errors: { [field]: ['Account not found.'] } } };
    for (const id of [randomUUID(), finance.account(use === 'stock' ? 'income' : 'stock')]) {
      expect(await create({ [field]: id })).toMatchObject(wrong);
    }
    const { status, body } = await create({ [field]: right });
    expect([status, body.data[field]]).toEqual([201, right]);
    expect(await update(body.data.id, { [field]: randomUUID() })).toMatchObject(wrong);
    expect(await update(body.data.id, { [field]: null })).toMatchObject({
      status: 200,
      body: { data: { [field]: null } },
    });
  });

  test('are rejected while finance is unavailable, unless none are set', async () => {
    finance.trouble.push('down');
    expect(await create({ stock_account_id: finance.account('stock') })).toMatchObject({ status: 503 });
    finance.trouble.splice(0, 1, 'down');
    expect(await create({})).toMatchObject({ status: 201 });
    finance.trouble.splice(0);
  });
});

describe('the stock of a product', () => {
  test('moves to the new account with its value', async () => {
    const [first, second] = [finance.account('stock'), finance.account('stock')];
    const id = await shop.product({ stock_account_id: first }, { qty: '10', unit_cost: '2.50' });
    await update(id, { stock_account_id: second, name: 'Armchair' });
    const [change, ...more] = await readEvents('product.stock_account_changed', id);
    expect(change!.data).toMatchObject({ from_account_id: first, to_account_id: second, value: '25' });
    await update(id, { stock_account_id: second });
    expect([more, (await readEvents('product.stock_account_changed', id)).length]).toEqual([[], 1]);
    const { accounts } = await shop.rpc.getStockValue({ sources: [] });
    expect(accounts).toEqual([{ stock_account_id: second, value: '25' }]);
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('returns to the new account, even if issued from the previous account', async () => {
    const [first, second] = [finance.account('stock'), finance.account('stock')];
    const product_id = await shop.product({ stock_account_id: first }, { qty: '10', unit_cost: '2.50' });
    const { lines } = await shop.rpc.issueStock(
      issueOf('sale', [{ product_id, warehouse_id: shop.warehouse, qty: '4' }]),
    );
    expect(lines).toMatchObject([{ cost: '10.00', stock_account_id: first }]);
    await update(product_id, { stock_account_id: second });
    await shop.rpc.reverseIssue({ idempotency_key: 'sale', business_date: '' });
    expect((await readEvents('product.stock_account_changed', product_id)).map(({ data }) => data['value'])).toEqual([
      '15',
      '10',
    ]);
  });
});

describe('a POS order', () => {
  test('reports the accounts of each line, and refunds to the current stock account', async () => {
    const own = {
      income_account_id: finance.account('income'),
      expense_account_id: finance.account('expense'),
      stock_account_id: finance.account('stock'),
    };
    const chair = await shop.product({ ...own, sale_price: '30' }, { qty: '10', unit_cost: '10' });
    const table = await shop.product({ sale_price: '50' }, { qty: '1', unit_cost: '20' });
    const lines = [
      { product_id: chair, qty: '3' },
      { product_id: table, qty: '1' },
    ];
    const { body } = await shop.owner.post('/api/pos/create', { lines, payments: [{ method: 'card', amount: '140' }] });
    const usual = { income_account_id: '', expense_account_id: '', stock_account_id: '' };
    const [paid] = await readEvents('pos_order.paid', body.data.id);
    expect(paid!.data['shares']).toEqual([
      { ...own, net: '90.00', cost: '30' },
      { ...usual, net: '50.00', cost: '20' },
    ]);
    const moved = finance.account('stock');
    await update(chair, { stock_account_id: moved });
    await shop.owner.post(`/api/pos/refund/${body.data.id}`, {});
    const [refunded] = await readEvents('pos_order.refunded', body.data.id);
    expect(refunded!.data).toMatchObject({
      partial: true,
      status: 'refunded',
      shares: [
        { ...own, stock_account_id: moved, net: '90.00', cost: '30.00' },
        { ...usual, net: '50.00', cost: '20.00' },
      ],
    });
    const { recent } = await shop.rpc.getStockValue({ sources: [] });
    expect(recent.map(({ type, value }) => `${type} ${value}`).toSorted()).toEqual([
      'adjustment 100',
      'adjustment 20',
      'pos_order -50',
      'pos_refund 50',
    ]);
  });
});
