import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher } from '@suite/testing';
import { everything, openCrm, type Shop } from '../../../test/fixture.ts';

const { serving, shop: openShop } = await openCrm();
const platform = await eventPublisher(serving);
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});

const store = (body: object = {}, by = shop.owner) =>
  by.post('/api/sales/opportunitity/store', { name: 'Engines for Ada', ...body });
const made = async (body: object = {}) => (await store(body)).body.data;
const update = (id: string, body: object, by = shop.owner) => by.post(`/api/sales/opportunities/update/${id}`, body);
const list = async (query = '', by = shop.owner) => (await by.get(`/api/sales/opportunities${query}`)).body.data;
const remove = (id: string) => shop.owner.delete(`/api/sales/opportunities/delete/${id}`);

describe('an opportunity', () => {
  test('belongs to the caller in the first stage, with its default probability', async () => {
    const customer_id = shop.customer();
    const { status, body } = await store({ customer_id, amount: '1000.01', expected_close: '2026-12-24' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      stage: 'prospecting',
      probability: 10,
      amount: '1000.01',
      customer_id,
      customer_name: 'Ada Ltd',
      owner_id: shop.owner.caller.user_id,
      expected_close: '2026-12-24',
      closed_at: null,
      allowed_actions: expect.arrayContaining(['qualify', 'win', 'lose', 'update', 'delete']),
    });
  });

  test('moves between open stages, closes with the outcome, and reopens', async () => {
    const { id } = await made({ stage: 'negotiation', probability: 60 });
    expect((await update(id, { stage: 'qualification' })).body.data).toMatchObject({
      probability: 25,
      closed_at: null,
    });
    expect((await update(id, { stage: 'closed_won' })).body.data).toMatchObject({
      stage: 'closed_won',
      probability: 100,
      closed_at: expect.any(String),
      allowed_actions: ['reopen', 'lose', 'update', 'delete'],
    });
    expect(await update(id, { stage: 'prospecting' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'closed_won', action: 'prospect' } },
    });
    expect(await update(id, { probability: 50 })).toMatchObject({ status: 422 });
    expect((await update(id, { stage: 'negotiation' })).body.data).toMatchObject({ probability: 75, closed_at: null });
    const same = await update(id, { stage: 'negotiation' });
    expect(same).toMatchObject({ status: 200, body: { data: { stage: 'negotiation' } } });
  });

  test.each([
    ['a customer who is unknown', () => ({ customer_id: crypto.randomUUID() }), 'customer_id'],
    ['an owner who is unknown', () => ({ owner_id: crypto.randomUUID() }), 'owner_id'],
    ['an unknown source', () => ({ source_id: crypto.randomUUID() }), 'source_id'],
    ['a stage that there is not', () => ({ stage: 'won' }), 'stage'],
    ['a chance above all', () => ({ probability: 101 }), 'probability'],
    ['a chance that a lost one has not', () => ({ stage: 'closed_lost', probability: 10 }), 'probability'],
    ['a negative amount', () => ({ amount: '-1' }), 'amount'],
    ['a day of its closing', () => ({ closed_at: '2026-01-01T00:00:00Z' }), 'closed_at'],
  ])('is rejected with %s', async (_, body, field) => {
    expect(await store(body())).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  });

  test('returns 404 for another user\'s opportunity with the record scope "own"', async () => {
    const { id } = await made();
    const own = { can: everything, record_scopes: { opportunity: 'own' } } as const;
    const seller = shop.member({ ...own, user_id: shop.hire() });
    expect([await list('', seller), (await update(id, { name: 'X' }, seller)).status]).toEqual([[], 404]);
    await update(id, { owner_id: seller.caller.user_id });
    expect(await list('', seller)).toMatchObject([{ id }]);
  });

  test('is found, filtered and expanded in few statements', async () => {
    const source = (await shop.owner.post('/api/source/create', { name: 'Fair' })).body.data;
    const { id } = await made({ source_id: source.id, amount: '50' });
    await made({ name: 'Other', amount: '5' });
    const before = serving.database.statements;
    const found = await list('?q=engines&stage=prospecting&amount[gte]=10&expand=owner,source&sort=-amount');
    expect(serving.database.statements - before).toBeLessThanOrEqual(5);
    expect(found).toMatchObject([{ id, owner: { name: 'Kim Example' }, source: { name: 'Fair' } }]);
  });

  test('is deleted with its meetings, unless it has quotes', async () => {
    const { id } = await made();
    const { customer } = shop;
    const lines = [{ description: 'Advice', qty: '1', unit_price: '1' }];
    const body = { customer_id: customer(), expiry_date: '2099-01-01', lines, opportunity_id: id };
    const quote = (await shop.owner.post('/api/sales/quotes/store', body)).body.data;
    expect(quote.opportunity_id).toBe(id);
    expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'in_use' } });
    await shop.owner.delete(`/api/sales/quotes/destroy/${quote.id}`);
    expect(await remove(id)).toMatchObject({ status: 200, body: { data: { id, deleted: true } } });
    expect(await remove(id)).toMatchObject({ status: 404 });
  });

  test('is reassigned when its owner is deleted', async () => {
    const leaver = shop.hire({ name: 'Lee' });
    const { id } = await made({ owner_id: leaver });
    const owner = {
      user_id: shop.owner.caller.user_id,
      name: 'Kim',
      email: '',
      kind: 'owner',
      status: 'active',
      phone: '',
    };
    await platform.say(shop.workspace, 'platform.user.created', owner);
    await platform.say(shop.workspace, 'platform.user.deleted', { user_id: leaver }, { position: 2 });
    expect(await list()).toMatchObject([{ id, owner_id: shop.owner.caller.user_id }]);
  });
});
