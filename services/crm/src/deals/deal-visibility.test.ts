import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Member } from '@suite/testing';
import { openCrm, type Shop } from '../../test/fixture.ts';

const { shop: openShop } = await openCrm();
let shop: Shop;
let client: string;
let id: string;
beforeAll(async () => {
  shop = await openShop();
  client = shop.hire({ name: 'Clara', kind: 'client' });
  const body = { name: 'Engine', price: '1000', notes: 'Will pay more', client_ids: [client] };
  id = (await shop.owner.post('/api/deal/create', body)).body.data.id;
  await shop.owner.post('/api/deal/create', { name: 'Of others' });
  await shop.owner.post(`/api/deal-discussion/store/${id}`, { comment: 'Ask for twice as much' });
  const task = { deal_id: id, name: 'Press them', date: '2027-01-01', time: '09:00' };
  await shop.owner.post('/api/deal-task/create', task);
});

const names = async (by: Member) => (await by.get('/api/deals')).body.data.map(({ name }: { name: string }) => name);

describe('a client', () => {
  const clara = () => shop.member({ user_id: client, kind: 'client', can: ['deal.view'] });

  test('sees the deals that they are a party to, regardless of the role', async () => {
    expect(await names(clara())).toEqual(['Engine']);
    const outsider = shop.member({ user_id: shop.hire({ kind: 'client' }), kind: 'client', can: ['deal.view'] });
    expect(await names(outsider)).toEqual([]);
    expect(await outsider.get(`/api/deal/show/${id}`)).toMatchObject({ status: 404 });
  });

  test('sees the summary of a deal, but not the internal work', async () => {
    const { status, body } = await clara().get(`/api/deal/show/${id}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      name: 'Engine',
      price: '1000.00',
      stage: { name: 'Qualification' },
      allowed_actions: [],
    });
    for (const field of ['notes', 'probability', 'weighted_value', 'discussions', 'tasks', 'timeline', 'stage_history'])
      expect(body.data).not.toHaveProperty(field);
    expect(JSON.stringify(body)).not.toMatch(/Ask for|Will pay|Press them/);
    const listed = (await clara().get('/api/deals?expand=labels,sources,users')).body;
    expect(JSON.stringify(listed)).not.toMatch(/Will pay/);
    expect(Object.keys(listed.data[0])).not.toEqual(expect.arrayContaining(['notes', 'probability']));
  });

  test('cannot search, filter or sort by fields that they cannot see', async () => {
    for (const query of ['q=Will', 'notes[like]=pay', 'probability=10', 'sort=probability', 'lost_reason=x']) {
      const { status, body } = await clara().get(`/api/deals?${query}`);
      expect(status === 422 || body.data.length === 0).toBe(true);
    }
  });
});

describe('a staff user with the record scope own', () => {
  test('sees the deals that they work on, until they are removed', async () => {
    const user_id = shop.hire({ name: 'Sales' });
    const sales = shop.member({ user_id, record_scopes: { deal: 'own' } });
    expect(await names(sales)).toEqual([]);
    await shop.owner.post(`/api/deal-user/store/${id}`, { user_ids: [user_id] });
    expect(await names(sales)).toEqual(['Engine']);
    const made = (await sales.post('/api/deal/create', { name: 'Their own' })).body.data;
    expect(await names(sales)).toEqual(['Their own', 'Engine']);
    await shop.owner.delete(`/api/deal-user/${id}/delete/${user_id}`);
    expect(await names(sales)).toEqual(['Their own']);
    expect(await sales.post(`/api/deal/update/${id}`, { name: 'Mine' })).toMatchObject({ status: 404 });
    expect(await sales.post(`/api/deal/update/${made.id}`, { name: 'Mine' })).toMatchObject({ status: 200 });
  });
});

test('a vendor sees no deal', async () => {
  expect(await names(shop.member({ kind: 'vendor', can: ['deal.view'] }))).toEqual([]);
});
