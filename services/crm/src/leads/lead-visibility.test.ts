import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Member } from '@suite/testing';
import { openCrm, type Shop } from '../../test/fixture.ts';

const { shop: openShop } = await openCrm();
let shop: Shop;
let otherShop: Shop;
beforeAll(async () => {
  [shop, otherShop] = [await openShop(), await openShop()];
});

const lead = async (body: object = {}) =>
  (await shop.owner.post('/api/lead/create', { name: 'Ada', ...body })).body.data;
const update = (id: string, body: object, by: Member) => by.post(`/api/lead/update/${id}`, body);
const show = async (id: string, by: Member = shop.owner) => (await by.get(`/api/lead/show/${id}`)).body.data;

describe('lead visibility', () => {
  const salesperson = (user_id = shop.hire({ name: 'Sales' })) =>
    shop.member({ user_id, record_scopes: { lead: 'own' } });

  test('includes all users of the workspace, and excludes others', async () => {
    const { id } = await lead();
    expect((await show(id, shop.member({ can: ['lead.view'] }))).id).toBe(id);
    for (const reply of [
      await otherShop.owner.get(`/api/lead/show/${id}`),
      await update(id, { notes: 'x' }, otherShop.owner),
      await otherShop.owner.delete(`/api/lead/delete/${id}`),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  test('is limited to owner and shared users for the record scope "own"', async () => {
    const [owner, friend, other] = [salesperson(), salesperson(), salesperson()];
    const { id } = await lead({ owner_id: owner.caller.user_id, user_ids: [friend.caller.user_id] });
    for (const by of [owner, friend]) {
      expect((await by.get(`/api/lead/show/${id}`)).status).toBe(200);
      expect((await by.get('/api/leads')).body.data.map((row: { id: string }) => row.id)).toEqual([id]);
      expect((await update(id, { notes: 'mine' }, by)).status).toBe(200);
    }
    expect((await other.get('/api/leads')).body).toMatchObject({ data: [], meta: { total: 0 } });
    expect(await other.get(`/api/lead/show/${id}`)).toMatchObject({ status: 404 });
    expect(await update(id, { notes: 'mine' }, other)).toMatchObject({ status: 404 });
    expect(await other.delete(`/api/lead/delete/${id}`)).toMatchObject({ status: 404 });
  });

  test('excludes clients, regardless of the role', async () => {
    await lead();
    const client = shop.member({ kind: 'client', can: ['lead.view'] });
    expect((await client.get('/api/leads')).body.data).toEqual([]);
  });

  test('derives the allowed actions from status and permissions', async () => {
    const { id } = await lead();
    expect((await show(id)).allowed_actions).toEqual(['lose', 'convert', 'add_note', 'update', 'move', 'delete']);
    expect((await show(id, shop.member({ can: ['lead.view', 'lead.convert'] }))).allowed_actions).toEqual(['convert']);
    expect((await show(id, shop.member({ can: ['lead.view'] }))).allowed_actions).toEqual([]);
  });
});
