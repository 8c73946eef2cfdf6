import { beforeAll, describe, expect, test } from '@jest/globals';
import { openCrm, type Shop } from '../../test/fixture.ts';

const { serving, shop: openShop } = await openCrm();
let shop: Shop;
let otherShop: Shop;
beforeAll(async () => {
  [shop, otherShop] = [await openShop(), await openShop()];
});

const create = (body: object) => shop.owner.post('/api/deal/create', { name: 'Engine', price: '1000', ...body });
const deal = async (body: object = {}) => (await create(body)).body.data;
const update = (id: string, body: object) => shop.owner.post(`/api/deal/update/${id}`, body);
const show = async (id: string) => (await shop.owner.get(`/api/deal/show/${id}`)).body.data;
const events = (id: string) =>
  serving.sql`SELECT type, data FROM journal_events WHERE aggregate_id = ${id} ORDER BY position`;

describe('a new deal', () => {
  test('starts in the first stage of the default pipeline, in workspace currency', async () => {
    const { status, body } = await create({ price: '1000', expected_close: '2027-01-31' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      name: 'Engine',
      price: '1000.00',
      currency: 'EUR',
      status: 'open',
      probability: 10,
      weighted_value: '100.00',
      stage_id: shop.dealStages['qualification'],
      expected_close: '2027-01-31',
      closed_at: null,
      lead_id: null,
    });
    expect(await events(body.data.id)).toEqual([
      { type: 'crm.deal.created', data: expect.objectContaining({ price: '1000', currency: 'EUR' }) },
    ]);
  });

  test('rejects a price with more decimals than its currency has', async () => {
    const refused = { status: 422, body: { errors: { price: [expect.any(String)] } } };
    expect(await create({ price: '12.345' })).toMatchObject(refused);
    expect(await create({ price: '12.5', currency: 'JPY' })).toMatchObject(refused);
    const { id } = await deal();
    expect(await update(id, { price: '12.345' })).toMatchObject(refused);
    expect(await show(id)).toMatchObject({ price: '1000.00' });
  });

  test('is assigned to its creator and the given users, with its clients', async () => {
    const client = shop.hire({ name: 'Clara', kind: 'client' });
    const { id } = await deal({ user_ids: [shop.hire({ name: 'Robin' })], client_ids: [client] });
    const shown = await show(id);
    expect(shown.users.map(({ name }: { name: string }) => name)).toEqual(['Kim Example', 'Robin']);
    expect(shown.clients).toEqual([{ id: client, name: 'Clara', kind: 'client' }]);
  });

  test('has a customer from finance, and the customer can change', async () => {
    const [first, second] = [shop.customer(), shop.customer({ name: 'Grace Inc' })];
    const { id, customer_id } = await deal({ customer_id: first });
    expect(customer_id).toBe(first);
    const change = (body: object) => shop.owner.post(`/api/deal/update/${id}`, body);
    expect((await change({ customer_id: second })).body.data).toMatchObject({ customer_id: second });
    expect((await change({ customer_id: null })).body.data).toMatchObject({ customer_id: null });
  });

  test('has the status won or lost if created in such a stage', async () => {
    expect(await deal({ stage_id: shop.dealStages['won'] })).toMatchObject({
      status: 'won',
      probability: 100,
      weighted_value: '1000.00',
      closed_at: expect.any(String),
    });
    expect(await create({ stage_id: shop.dealStages['lost'] })).toMatchObject({
      status: 422,
      body: { errors: { lost_reason: [expect.any(String)] } },
    });
  });

  test.each([
    ['a client who is a colleague', () => ({ client_ids: [shop.hire()] }), 'client_ids'],
    ['a client of another workspace', () => ({ client_ids: [otherShop.hire({ kind: 'client' })] }), 'client_ids'],
    ['a colleague who is a client', () => ({ user_ids: [shop.hire({ kind: 'client' })] }), 'user_ids'],
    ['a customer of another workspace', () => ({ customer_id: otherShop.customer() }), 'customer_id'],
    ['a lead stage', () => ({ stage_id: shop.leadStages['new'] }), 'stage_id'],
    ['a stage of another workspace', () => ({ stage_id: otherShop.dealStages['won'] }), 'stage_id'],
    ['a negative price', () => ({ price: '-1' }), 'price'],
    ['a price that is a number', () => ({ price: 1 }), 'price'],
    ['a currency that there is not', () => ({ currency: 'ZZZ' }), 'currency'],
    ['an impossible day', () => ({ expected_close: '2027-02-29' }), 'expected_close'],
    ['a status', () => ({ status: 'won' }), 'status'],
    ['a probability', () => ({ probability: 100 }), 'probability'],
    ['a lead', () => ({ lead_id: crypto.randomUUID() }), 'lead_id'],
  ])('is rejected with %s', async (_, body, field) => {
    expect(await create(body())).toMatchObject({
      status: 422,
      body: { errors: { [field]: [expect.any(String)] } },
    });
  });
});

describe('changing a deal', () => {
  test('sets the given fields, and rounds the price for another currency', async () => {
    const { id } = await deal({ price: '10.55' });
    expect((await update(id, { currency: 'JPY', notes: 'Likes tea' })).body.data).toMatchObject({
      price: '11',
      currency: 'JPY',
      notes: 'Likes tea',
      version: 2,
    });
    expect(await update(id, { name: 'x', version: 1 })).toMatchObject({ status: 412 });
  });

  test('follows the stage type: won closes it, reopening clears that and is recorded', async () => {
    const { id } = await deal();
    expect((await update(id, { stage_id: shop.dealStages['won'] })).body.data).toMatchObject({
      status: 'won',
      probability: 100,
      closed_at: expect.any(String),
    });
    expect((await show(id)).allowed_actions).toEqual(['reopen', 'lose', 'update', 'add_note', 'delete']);
    expect((await update(id, { stage_id: shop.dealStages['negotiation'] })).body.data).toMatchObject({
      status: 'open',
      probability: 70,
      weighted_value: '700.00',
      closed_at: null,
    });
    const { timeline, stage_history } = await show(id);
    expect(timeline.map(({ type }: { type: string }) => type)).toEqual(['reopened', 'won', 'created']);
    expect(stage_history.map(({ to_name }: { to_name: string }) => to_name)).toEqual([
      'Negotiation',
      'Won',
      'Qualification',
    ]);
    expect((await events(id)).map(({ type }) => type)).toEqual([
      'crm.deal.created',
      'crm.deal.stage_changed',
      'crm.deal.won',
      'crm.deal.stage_changed',
    ]);
    const { data } = (await events(id)).find(({ type }) => type === 'crm.deal.won')!;
    const { name, currency } = await show(id);
    expect(data).toMatchObject({
      deal_id: id,
      name,
      currency,
      customer_id: '',
      owner_id: expect.stringMatching(/^[\w-]{36}$/),
    });
  });

  test('requires a reason for lost, and clears it on reopening', async () => {
    const { id } = await deal();
    const stage_id = shop.dealStages['lost'];
    expect(await update(id, { stage_id })).toMatchObject({
      status: 422,
      body: { errors: { lost_reason: [expect.any(String)] } },
    });
    expect((await update(id, { stage_id, lost_reason: 'Too dear' })).body.data).toMatchObject({
      status: 'lost',
      lost_reason: 'Too dear',
    });
    expect((await events(id)).at(-1)).toEqual({ type: 'crm.deal.lost', data: { deal_id: id, reason: 'Too dear' } });
    expect((await update(id, { stage_id: shop.dealStages['proposal'] })).body.data).toMatchObject({
      status: 'open',
      lost_reason: null,
    });
  });

  test('requires the probability of a stage to match the stage type', async () => {
    const path = `/api/deal-stage/update/${shop.dealStages['proposal']}`;
    expect((await shop.owner.post(path, { probability: 45 })).body.data).toMatchObject({ probability: 45 });
    expect(
      await shop.owner.post(`/api/deal-stage/update/${shop.dealStages['won']}`, { probability: 90 }),
    ).toMatchObject({
      status: 422,
      body: { errors: { probability: [expect.any(String)] } },
    });
    const { body } = await shop.owner.post('/api/deal-stage/create', {
      pipeline_id: shop.pipeline.id,
      name: 'Signed',
      type: 'won',
    });
    expect(body.data).toMatchObject({ probability: 100, deal_count: 0, value_sum: '0.00' });
  });

  test('replaces the members with the given ones', async () => {
    const [one, two] = [shop.hire({ name: 'One', kind: 'client' }), shop.hire({ name: 'Two', kind: 'client' })];
    const { id } = await deal({ client_ids: [one] });
    await update(id, { client_ids: [two] });
    expect((await show(id)).clients).toEqual([{ id: two, name: 'Two', kind: 'client' }]);
  });
});

describe('the list of deals', () => {
  test('filters, sorts and expands', async () => {
    const other = await openShop();
    for (const [name, price] of [
      ['Small', '1'],
      ['Large', '1000'],
    ]) {
      await other.owner.post('/api/deal/create', { name, price });
    }
    const { data, meta } = (await other.owner.get('/api/deals?sort=-price&price[gte]=1&expand=stage,users')).body;
    expect(data).toMatchObject([
      { name: 'Large', weighted_value: '100.00', stage: { name: 'Qualification' }, users: [{ name: 'Kim Example' }] },
      { name: 'Small', weighted_value: '0.10' },
    ]);
    expect(meta.total).toBe(2);
    expect((await other.owner.get('/api/deals?q=larg')).body.data).toHaveLength(1);
    const before = serving.database.statements;
    await other.owner.get('/api/deals?expand=pipeline,stage,labels,sources,users,clients');
    expect(serving.database.statements - before).toBeLessThanOrEqual(3 + 6);
  });
});

test('deleting a deal deletes its tasks, calls, notes, e-mails and files', async () => {
  const { id } = await deal();
  expect((await shop.owner.delete(`/api/deal/delete/${id}`)).body).toEqual({ data: { id, deleted: true } });
  expect(await shop.owner.get(`/api/deal/show/${id}`)).toMatchObject({ status: 404 });
  expect(await serving.sql`SELECT FROM activities WHERE deal_id = ${id}`).toEqual([]);
});
