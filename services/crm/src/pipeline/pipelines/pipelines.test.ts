import { beforeAll, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { openCrm, type Shop } from '../../../test/fixture.ts';

const { serving, shop: openShop } = await openCrm();
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});

const pipelines = async () => (await shop.owner.get('/api/pipelines')).body.data as Record<string, unknown>[];
const create = async (name: string, more: object = {}) =>
  (await shop.owner.post('/api/pipeline/create', { name, ...more })).body.data;

describe('a pipeline', () => {
  test('is the default, and has initial stages, if it is the first of a workspace', async () => {
    expect(await pipelines()).toEqual([expect.objectContaining({ name: 'Sales', is_default: true, position: 0 })]);
    const stages = (await shop.owner.get('/api/lead-stages')).body.data;
    expect(stages.map(({ name }: { name: string }) => name)).toEqual([
      'New',
      'Contacted',
      'Qualified',
      'On hold',
      'Lost',
    ]);
    expect(stages[0]).toMatchObject({ pipeline_id: shop.pipeline.id, lead_count: 0, value_sum: '0.00', position: 0 });
  });

  test('has a unique name regardless of case', async () => {
    expect(await shop.owner.post('/api/pipeline/create', { name: 'SALES' })).toMatchObject({
      status: 409,
      body: { code: 'already_exists', errors: { name: [expect.any(String)] } },
    });
  });

  test('remains the default until another pipeline becomes the default', async () => {
    const partners = await create('Partners', { is_default: true, position: 0 });
    expect(partners).toMatchObject({ is_default: true, position: 0 });
    const refused = await shop.owner.post(`/api/pipeline/update/${partners.id}`, { is_default: false });
    expect(refused).toMatchObject({ status: 422, body: { errors: { is_default: [expect.any(String)] } } });
    await shop.owner.post(`/api/pipeline/update/${shop.pipeline.id}`, { is_default: true });
    expect((await pipelines()).map(({ name, is_default, position }) => [name, is_default, position])).toEqual([
      ['Partners', false, 0],
      ['Sales', true, 1],
    ]);
  });

  test('is the only default after concurrent changes of the default', async () => {
    const made = [await create('North'), await create('South'), await create('West')];
    const replies = await runConcurrently(9, (at) =>
      shop.owner.post(`/api/pipeline/update/${made[at % 3].id}`, { is_default: true, position: at % 4 }),
    );
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    const all = await pipelines();
    expect(all.filter(({ is_default }) => is_default)).toHaveLength(1);
    expect(all.map(({ position }) => position)).toEqual(all.map((_, at) => at));
    await shop.owner.post(`/api/pipeline/update/${shop.pipeline.id}`, { is_default: true });
  });

  test('has a unique position if several are created concurrently', async () => {
    const replies = await runConcurrently(5, (at) =>
      shop.owner.post('/api/pipeline/create', { name: `At once ${at}` }),
    );
    expect(sortedStatuses(replies)).toEqual([201, 201, 201, 201, 201]);
    const all = await pipelines();
    expect(all.map(({ position }) => position)).toEqual(all.map((_, at) => at));
  });

  test('cannot be deleted while it is the default', async () => {
    const reply = await shop.owner.delete(`/api/pipeline/delete/${shop.pipeline.id}`);
    expect(reply).toMatchObject({ status: 409, body: { code: 'default_pipeline' } });
  });

  test('can be deleted with its stages if it is empty, but not if it has leads', async () => {
    const held = await create('Held', { position: 1 });
    const { body } = await shop.owner.post('/api/lead/create', { name: 'Ada', pipeline_id: held.id });
    expect(await shop.owner.delete(`/api/pipeline/delete/${held.id}`)).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { leads: 1, deals: 0 } },
    });
    await shop.owner.delete(`/api/lead/delete/${body.data.id}`);
    expect((await shop.owner.delete(`/api/pipeline/delete/${held.id}`)).body).toEqual({
      data: { id: held.id, deleted: true },
    });
    expect(await serving.sql`SELECT FROM lead_stages WHERE pipeline_id = ${held.id}`).toEqual([]);
    const all = await pipelines();
    expect(all.map(({ position }) => position)).toEqual(all.map((_, at) => at));
  });

  test('rejects a stale version', async () => {
    const fresh = await create('Fresh');
    await shop.owner.post(`/api/pipeline/update/${fresh.id}`, { name: 'Fresher', version: 1 });
    const stale = await shop.owner.post(
      `/api/pipeline/update/${fresh.id}`,
      { name: 'Stale' },
      { headers: { 'if-match': '"1"' } },
    );
    expect(stale).toMatchObject({ status: 412, body: { code: 'stale' } });
  });
});
