import { beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { openCrm, type Shop } from '../../../test/fixture.ts';

const { shop: openShop } = await openCrm();
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});

const create = (body: object) => shop.owner.post('/api/source/create', body);
const source = async (name: string) => (await create({ name })).body.data;
const update = (id: string, body: object) => shop.owner.post(`/api/source/update/${id}`, body);
const remove = (id: string) => shop.owner.delete(`/api/source/delete/${id}`);
const list = async (query = '') => (await shop.owner.get(`/api/sources${query}`)).body.data as { name: string }[];

describe('sources', () => {
  test('are created, listed and renamed', async () => {
    expect(await create({ name: 'Fair' })).toMatchObject({ status: 201, body: { data: { name: 'Fair', version: 1 } } });
    const { id } = await source('Website');
    expect(await update(id, { name: 'Web' })).toMatchObject({
      status: 200,
      body: { data: { name: 'Web', version: 2, updated_by: shop.owner.caller.user_id } },
    });
    expect((await list()).map(({ name }) => name)).toEqual(['Web', 'Fair']);
    expect((await list('?sort=name&name[like]=AIR')).map(({ name }) => name)).toEqual(['Fair']);
  });

  test('have unique names, regardless of case', async () => {
    await source('Fair');
    const { id } = await source('Website');
    const taken = { status: 409, body: { code: 'already_exists', errors: { name: [expect.any(String)] } } };
    expect(await create({ name: 'FAIR' })).toMatchObject(taken);
    expect(await update(id, { name: 'fair' })).toMatchObject(taken);
    const replies = await runConcurrently(10, () => create({ name: 'Newsletter' }));
    expect(sortedStatuses(replies)).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    expect(await (await openShop()).owner.post('/api/source/create', { name: 'Fair' })).toMatchObject({ status: 201 });
  });

  test('are deleted if unused, or rejected with their usage count', async () => {
    const { id } = await source('Fair');
    const lead = (await shop.owner.post('/api/lead/create', { name: 'Ada', source_ids: [id] })).body.data;
    const refused = { status: 409, body: { code: 'in_use', details: { leads: 1, deals: 0 } } };
    expect(await remove(id)).toMatchObject(refused);
    await shop.owner.delete(`/api/lead/delete/${lead.id}`);
    expect(await remove(id)).toMatchObject({ status: 200, body: { data: { id, deleted: true } } });
    expect(await remove(id)).toMatchObject({ status: 404 });
  });

  test('reject changes with a stale version', async () => {
    const { id } = await source('Fair');
    await update(id, { name: 'Trade fair', version: 1 });
    expect(await update(id, { name: 'Fairs', version: 1 })).toMatchObject({ status: 412, body: { code: 'stale' } });
    expect(await update(id, {})).toMatchObject({ status: 200, body: { data: { name: 'Trade fair' } } });
  });

  test.each([
    ['without a name', {}, 'name'],
    ['with an empty name', { name: '' }, 'name'],
    ['with a name that is not a text', { name: 7 }, 'name'],
    ['with a field that there is not', { name: 'Fair', color: '#ffffff' }, 'color'],
  ])('are rejected %s', async (_, body, field) => {
    expect(await create(body)).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  });

  test('require a permission for each operation', async () => {
    const { id } = await source('Fair');
    const guest = shop.member({ can: ['source.view'] });
    expect(await guest.get('/api/sources')).toMatchObject({ status: 200 });
    expect(await guest.post('/api/source/create', { name: 'Web' })).toMatchObject({ status: 403 });
    expect(await guest.post(`/api/source/update/${id}`, { name: 'Web' })).toMatchObject({ status: 403 });
    expect(await guest.delete(`/api/source/delete/${id}`)).toMatchObject({ status: 403 });
    const elsewhere = (await openShop()).owner;
    expect(await elsewhere.post(`/api/source/update/${id}`, { name: 'Web' })).toMatchObject({ status: 404 });
    expect(await elsewhere.delete(`/api/source/delete/${id}`)).toMatchObject({ status: 404 });
  });
});
