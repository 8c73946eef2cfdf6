import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import { everything, openCrm, type Shop } from '../../../test/fixture.ts';
import { salesSteps } from '../../../test/sales.ts';

const { inventory, shop: openShop } = await openCrm();
let shop: Shop;
let sales: ReturnType<typeof salesSteps>;
beforeEach(async () => {
  shop = await openShop();
  sales = salesSteps(shop);
});

const createOpportunity = async (body: object = {}) =>
  (await shop.owner.post('/api/sales/opportunitity/store', { name: 'Engines', ...body })).body.data;

describe('the choices of sales forms', () => {
  test('contain users, warehouses, customers, open opportunities, accepted quotes', async () => {
    await shop.owner.post('/api/lead/create', { name: 'Ada', owner_id: shop.hire({ name: 'Robin' }) });
    shop.stock.warehouse({ name: 'Old', active: false });
    const open = await createOpportunity();
    await createOpportunity({ stage: 'closed_lost' });
    const quote = await sales.quote();
    await sales.updateQuote(quote.id, { status: 'sent' });
    const accepted = (await sales.updateQuote(quote.id, { status: 'accepted' })).body.data;
    const deletedCustomer = shop.customer({ active: true, name: 'Gone' });
    await sales.quote({ customer_id: deletedCustomer });
    const { status, body } = await shop.owner.get('/api/sales/RequestData');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      customers: expect.arrayContaining([expect.objectContaining({ id: sales.customer_id, name: 'Ada Ltd' })]),
      warehouses: [{ id: shop.warehouse_id, name: 'Main', code: 'M', is_default: true }],
      opportunities: [{ id: open.id, name: 'Engines' }],
      quotes: [{ id: quote.id, name: `${accepted.number} Ada Ltd` }],
      currency: 'EUR',
      timezone: 'Europe/Berlin',
    });
    expect(body.data.users.map(({ name }: { name: string }) => name)).toEqual(['Kim Example', 'Robin']);
  });

  test('exclude records that the caller cannot see', async () => {
    await createOpportunity();
    await sales.quote();
    const { body } = await shop.member({ can: ['quote.view'] }).get('/api/sales/RequestData');
    expect(body.data).toMatchObject({ customers: [], opportunities: [], quotes: [], parent_types: ['quote'] });
  });

  test('contain the warehouses of inventory', async () => {
    const updated_at = '2026-01-01T00:00:00.000Z';
    const { body } = await shop.owner.get('/api/sales/warehouses');
    expect(body.data).toEqual([{ id: shop.warehouse_id, name: 'Main', code: 'M', is_default: true, updated_at }]);
    expect(body.meta).toMatchObject({ total: 1, next_cursor: null });
  });

  test('support list parameters for warehouses, although inventory owns them', async () => {
    const north = shop.stock.warehouse({
      name: 'North',
      code: 'N',
      is_default: false,
      updated_at: '2026-02-01T00:00:00Z',
    });
    const found = async (query: string) =>
      (await shop.owner.get(`/api/sales/warehouses?${query}`)).body.data.map(({ name }: { name: string }) => name);
    expect(await found('')).toEqual(['Main', 'North']);
    expect(await found('sort=-name')).toEqual(['North', 'Main']);
    expect(await found('q=nor')).toEqual(['North']);
    expect(await found('q=%25')).toEqual([]);
    expect(await found(`id[in]=${north}&updated_at[gte]=2026-02-01`)).toEqual(['North']);
    expect(await found('is_default=true&fields=name')).toEqual(['Main']);
    const first = (await shop.owner.get('/api/sales/warehouses?per_page=1')).body.meta.next_cursor;
    expect(await found(`per_page=1&cursor=${first}`)).toEqual(['North']);
  });
});

describe('the products in a warehouse', () => {
  const inWarehouse = async (body: object = {}) =>
    (await shop.owner.post('/api/sales/get-warehouse-products', { warehouse_id: shop.warehouse_id, ...body })).body
      .data;

  test('are the products in stock there, with current price and quantity', async () => {
    const tax = shop.stock.tax();
    const [engine, wheel] = [
      shop.stock.product({ taxes: [tax], unit_name: 'pc' }),
      shop.stock.product({ name: 'Wheel' }),
    ];
    inventory.shelf.put(engine, 5);
    expect(await inWarehouse()).toEqual([
      {
        product_id: engine,
        name: 'Engine',
        sku: expect.any(String),
        type: 'product',
        unit_name: 'pc',
        sale_price: '19.99',
        tax_ids: [tax.tax_id],
        on_hand: '5',
        reserved: '0',
        available: '5',
      },
    ]);
    const third = { warehouse_id: shop.warehouse_id, page: 3, limit: 1, product_ids: [engine, wheel] };
    expect((await shop.owner.post('/api/sales/get-warehouse-products', third)).body).toMatchObject({
      data: [],
      meta: { page: 3, per_page: 1, total: 2 },
    });
    expect(await inWarehouse({ q: 'whe' })).toEqual([]);
    expect(await inWarehouse({ product_ids: [wheel] })).toMatchObject([{ product_id: wheel, available: '0' }]);
  });

  test('cannot be listed for an unknown warehouse', async () => {
    const reply = await shop.owner.post('/api/sales/get-warehouse-products', { warehouse_id: randomUUID() });
    expect(reply).toMatchObject({ status: 422, body: { errors: { warehouse_id: [expect.any(String)] } } });
  });
});

describe('the possible parents of a meeting', () => {
  const parents = (body: object, by = shop.owner) => by.post('/api/sales/parent-records', body);

  test('include each kind of record by name, most recently changed first', async () => {
    for (const name of ['Ada', 'Grace 100%', 'Adam']) await shop.owner.post('/api/lead/create', { name });
    const found = (await parents({ parent_type: 'lead', q: 'ada' })).body.data;
    expect(found.map(({ name }: { name: string }) => name)).toEqual(['Adam', 'Ada']);
    expect((await parents({ parent_type: 'lead', q: '100%' })).body.data).toMatchObject([{ name: 'Grace 100%' }]);
    const second = (await parents({ parent_type: 'lead', q: 'ada', limit: 1, page: 2 })).body;
    expect(second).toEqual({
      data: [expect.objectContaining({ name: 'Ada' })],
      meta: { page: 2, per_page: 1, total: 2, total_is_exact: true, next_cursor: null },
    });
    const { id } = await sales.quote();
    expect((await parents({ parent_type: 'quote', q: 'ada ltd' })).body.data).toEqual([
      { parent_type: 'quote', id, name: 'Draft quote', detail: 'Ada Ltd' },
    ]);
    // A customer without documents in crm.
    const grace = shop.customer({ name: 'Grace Inc', company: '' });
    expect((await parents({ parent_type: 'customer', q: 'grace' })).body.data).toEqual([
      { parent_type: 'customer', id: grace, name: 'Grace Inc', detail: null },
    ]);
    const customers = await parents({ parent_type: 'customer', q: 'ada' });
    expect(customers.body.meta).toMatchObject({ page: 1, per_page: 20, total: 1, total_is_exact: true });
    expect(customers.body.data).toEqual([
      { parent_type: 'customer', id: sales.customer_id, name: 'Ada Ltd', detail: 'Ada' },
    ]);
    expect((await parents({ parent_type: 'order' })).body.data).toEqual([]);
    for (const parent_type of ['deal', 'opportunity']) {
      expect((await parents({ parent_type })).body.data).toEqual([]);
    }
  });

  test('include only records visible to the caller', async () => {
    await shop.owner.post('/api/lead/create', { name: 'Ada' });
    const seller = shop.member({ can: everything, record_scopes: { lead: 'own' } });
    expect((await parents({ parent_type: 'lead' }, seller)).body.data).toEqual([]);
    const guest = shop.member({ can: ['meeting.view'] });
    expect(await parents({ parent_type: 'lead' }, guest)).toMatchObject({ status: 403 });
  });
});

describe('the sales metrics', () => {
  test('include the count and value of open and due records', async () => {
    freezeClock('2026-06-15T10:00:00Z');
    await createOpportunity({ amount: '1000.00', stage: 'proposal' });
    await createOpportunity({ amount: '10.00', stage: 'closed_won' });
    const [one, two] = [
      await sales.quote({ issue_date: '2026-06-01', expiry_date: '2026-06-20' }),
      await sales.quote(),
    ];
    await sales.quote({ currency: 'USD' });
    for (const { id } of [one, two]) await sales.updateQuote(id, { status: 'sent' });
    await sales.updateQuote(two.id, { status: 'accepted' });
    const order = await sales.order({ order_date: '2026-06-01', delivery_date: '2026-06-10' });
    await sales.updateOrder(order.id, { status: 'confirmed' });
    const { id } = (await shop.owner.post('/api/lead/create', { name: 'Ada' })).body.data;
    const at = { start: '2026-06-15T20:00:00Z', end: '2026-06-15T21:00:00Z', name: 'Call' };
    await shop.owner.post('/api/sales/meeting/store', { ...at, parent_type: 'lead', parent_id: id });
    expect((await shop.owner.get('/api/sales/home')).body.data).toEqual({
      today: '2026-06-15',
      currency: 'EUR',
      opportunities: {
        open: 1,
        amount: '1000.00',
        weighted_amount: '500.00',
        won_this_month: 1,
        lost_this_month: 0,
      },
      quotes: {
        draft: 1,
        expiring: 1,
        open: { count: 1, total: '100.00' },
        accepted: { count: 1, total: '100.00' },
      },
      sales_orders: {
        draft: 0,
        to_invoice: 1,
        overdue: 1,
        open: { count: 1, total: '100.00' },
        this_month: { count: 1, total: '100.00' },
      },
      meetings: { today: 1, planned: 1 },
    });
  });

  test('are null without the permission to see them', async () => {
    const { body } = await shop.member({ can: ['quote.view'] }).get('/api/sales/home');
    expect(body.data).toMatchObject({ opportunities: null, sales_orders: null, meetings: null, quotes: { draft: 0 } });
  });
});
