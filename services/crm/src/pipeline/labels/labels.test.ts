import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { openCrm, type Shop } from '../../../test/fixture.ts';

const { serving, shop: openShop } = await openCrm();
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});

const create = (body: object) => shop.owner.post('/api/label/create', body);
const label = async (body: object) => (await create(body)).body.data;
const update = (id: string, body: object, options?: object) =>
  shop.owner.post(`/api/label/update/${id}`, body, options);
const remove = (id: string) => shop.owner.delete(`/api/label/delete/${id}`);
const list = async (query = '') => (await shop.owner.get(`/api/labels${query}`)).body.data as Record<string, unknown>[];
const pipeline = async (name: string): Promise<string> =>
  (await shop.owner.post('/api/pipeline/create', { name })).body.data.id;

describe('a label', () => {
  test('is for all pipelines, or for one', async () => {
    expect(await create({ name: ' Hot ' })).toMatchObject({
      status: 201,
      body: { data: { name: 'Hot', pipeline_id: null, color: '#64748b', version: 1 } },
    });
    const own = await label({ name: 'Renewal', pipeline_id: shop.pipeline.id, color: '#ff0000' });
    expect(own).toMatchObject({ pipeline_id: shop.pipeline.id, color: '#ff0000' });
    expect((await list()).map(({ name }) => name)).toEqual(['Renewal', 'Hot']);
    expect((await list('?sort=name&pipeline_id[null]=true')).map(({ name }) => name)).toEqual(['Hot']);
    expect((await list(`?pipeline_id=${shop.pipeline.id}`)).map(({ id }) => id)).toEqual([own.id]);
  });

  test('has a name that is unique in its scope only, regardless of case', async () => {
    const pipeline_id = shop.pipeline.id;
    await label({ name: 'Hot', pipeline_id });
    const taken = { status: 409, body: { code: 'already_exists', errors: { name: [expect.any(String)] } } };
    expect(await create({ name: 'HOT', pipeline_id })).toMatchObject(taken);
    expect(await create({ name: 'Hot', pipeline_id: await pipeline('Partners') })).toMatchObject({ status: 201 });
    const cold = await label({ name: 'Hot' });
    expect(await create({ name: 'hot' })).toMatchObject(taken);
    await label({ name: 'Cold' });
    expect(await update(cold.id, { name: 'cold' })).toMatchObject(taken);
  });

  test('is created once by concurrent requests', async () => {
    const replies = await runConcurrently(10, () => create({ name: 'Hot' }));
    expect(sortedStatuses(replies)).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  });

  test('is rejected with an unknown pipeline, or with one of another workspace', async () => {
    const elsewhere = await openShop();
    for (const pipeline_id of [elsewhere.pipeline.id, crypto.randomUUID()]) {
      expect(await create({ name: 'Hot', pipeline_id })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: { pipeline_id: [expect.any(String)] } },
      });
    }
  });

  test('can be renamed and recoloured, but not moved to another pipeline', async () => {
    const { id } = await label({ name: 'Hot' });
    const one = (await shop.owner.post('/api/lead/create', { name: 'Ada', label_ids: [id] })).body.data;
    const changed = await update(id, { name: 'Warm', color: '#00ff00' });
    expect(changed).toMatchObject({ status: 200, body: { data: { name: 'Warm', color: '#00ff00', version: 2 } } });
    const shown = (await shop.owner.get(`/api/lead/show/${one.id}`)).body.data;
    expect(shown.labels).toEqual([{ id, name: 'Warm', color: '#00ff00' }]);
    expect(await update(id, { pipeline_id: shop.pipeline.id })).toMatchObject({
      status: 422,
      body: { errors: { pipeline_id: [expect.any(String)] } },
    });
  });

  test('ignores an empty change, and rejects a stale one', async () => {
    const { id } = await label({ name: 'Hot' });
    expect(await update(id, { version: 1 })).toMatchObject({
      status: 200,
      body: { data: { name: 'Hot', version: 1 } },
    });
    await update(id, { name: 'Warm', version: 1 });
    const stale = await update(id, { name: 'Cold' }, { headers: { 'if-match': '"1"' } });
    expect(stale).toMatchObject({ status: 412, body: { code: 'stale' } });
    expect(await update(id, { name: 'Cold', version: 1 })).toMatchObject({ status: 412 });
  });

  test('can be deleted if it is unused, and returns its usage count if it is used', async () => {
    const { id } = await label({ name: 'Hot' });
    const one = (await shop.owner.post('/api/lead/create', { name: 'Ada', label_ids: [id, id] })).body.data;
    expect(await remove(id)).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { leads: 1, deals: 0 } },
    });
    await shop.owner.post(`/api/lead/update/${one.id}`, { label_ids: [] });
    expect(await remove(id)).toMatchObject({ status: 200, body: { data: { id, deleted: true } } });
    expect(await remove(id)).toMatchObject({ status: 404 });
    expect(await list()).toEqual([]);
  });

  test('is in use as soon as a concurrent request has added it to a lead', async () => {
    const { id } = await label({ name: 'Hot' });
    const one = (await shop.owner.post('/api/lead/create', { name: 'Ada' })).body.data;
    const other = await serving.database.pool.connect();
    await other.query('BEGIN');
    await other.query('INSERT INTO lead_labels (workspace_id, lead_id, label_id) VALUES ($1, $2, $3)', [
      shop.workspace,
      one.id,
      id,
    ]);
    const removal = remove(id);
    await pause(200);
    await other.query('COMMIT');
    other.release();
    expect(await removal).toMatchObject({ status: 409, body: { code: 'in_use', details: { leads: 1, deals: 0 } } });
  });

  test.each([
    ['without a name', {}, 'name'],
    ['with an empty name', { name: '  ' }, 'name'],
    ['with a name without end', { name: 'x'.repeat(201) }, 'name'],
    ['with a colour that is none', { name: 'Hot', color: 'red' }, 'color'],
    ['with an invalid pipeline ID', { name: 'Hot', pipeline_id: 'sales' }, 'pipeline_id'],
    ['with a field that there is not', { name: 'Hot', colour: '#ffffff' }, 'colour'],
  ])('is rejected %s', async (_, body, field) => {
    expect(await create(body)).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  });

  test('requires a permission for each operation', async () => {
    const { id } = await label({ name: 'Hot' });
    const guest = shop.member({ can: ['label.view'] });
    expect(await guest.get('/api/labels')).toMatchObject({ status: 200 });
    expect(await guest.post('/api/label/create', { name: 'Warm' })).toMatchObject({ status: 403 });
    expect(await guest.post(`/api/label/update/${id}`, { name: 'Warm' })).toMatchObject({ status: 403 });
    expect(await guest.delete(`/api/label/delete/${id}`)).toMatchObject({ status: 403 });
    expect(await shop.member({ can: [] }).get('/api/labels')).toMatchObject({ status: 403 });
    const elsewhere = (await openShop()).owner;
    expect(await elsewhere.post(`/api/label/update/${id}`, { name: 'Warm' })).toMatchObject({ status: 404 });
    expect(await elsewhere.delete(`/api/label/delete/${id}`)).toMatchObject({ status: 404 });
    expect((await elsewhere.get('/api/labels')).body.data).toEqual([]);
  });
});
