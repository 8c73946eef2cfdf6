import { beforeAll, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { openCrm, type Shop } from '../../../test/fixture.ts';

const { serving, shop: openShop } = await openCrm();
let shop: Shop;
let otherShop: Shop;
beforeAll(async () => {
  [shop, otherShop] = [await openShop(), await openShop()];
});

const source = async (by = shop) =>
  (await by.owner.post('/api/source/create', { name: crypto.randomUUID() })).body.data.id;
const label = async (body: object = {}, by = shop) =>
  (await by.owner.post('/api/label/create', { name: crypto.randomUUID(), ...body })).body.data.id;

const cases: [string, string, (by?: Shop) => Promise<string>][] = [
  ['lead', 'source', source],
  ['deal', 'source', source],
  ['lead', 'user', async (by = shop) => by.hire()],
  ['deal', 'user', async (by = shop) => by.hire()],
  ['deal', 'client', async (by = shop) => by.hire({ kind: 'client' })],
];

describe.each(cases)("a %s's %s", (kind, member, make) => {
  const record = async () => (await shop.owner.post(`/api/${kind}/create`, { name: 'Ada' })).body.data.id;
  const store = (id: string, ids: string[], by = shop.owner) =>
    by.post(`/api/${kind}-${member}/store/${id}`, { [`${member}_ids`]: ids });
  const taken = (id: string, member_id: string, by = shop.owner) =>
    by.delete(`/api/${kind}-${member}/${id}/delete/${member_id}`);
  const shown = async (id: string) => (await shop.owner.get(`/api/${kind}/show/${id}`)).body.data;
  const readEvents = async (id: string, type: string) =>
    (await shown(id)).timeline.filter((line: { type: string }) => line.type === type).length;

  test('is added and recorded once if added twice', async () => {
    const [id, one] = [await record(), await make()];
    const replies = await runConcurrently(6, () => store(id, [one, one]));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    expect((await shown(id))[`${member}s`].filter((row: { id: string }) => row.id === one)).toHaveLength(1);
    expect(await readEvents(id, `${member}_added`)).toBe(1);
  });

  test('is removed once', async () => {
    const [id, one] = [await record(), await make()];
    await store(id, [one]);
    expect((await taken(id, one)).body).toEqual({ data: { id: one, deleted: true } });
    expect(await taken(id, one)).toMatchObject({ status: 404 });
    expect(await readEvents(id, `${member}_removed`)).toBe(1);
  });

  test('is rejected if it does not exist in this workspace', async () => {
    const id = await record();
    const foreign = await store(id, [await make(), await make(otherShop)]);
    const unknown = await store(id, [await make(), crypto.randomUUID()]);
    expect(foreign).toMatchObject({ status: 422, body: { errors: { [`${member}_ids`]: [expect.any(String)] } } });
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
    expect(await readEvents(id, `${member}_added`)).toBe(0);
    expect(await store(id, [])).toMatchObject({ status: 422 });
  });

  test('is not accessible from another workspace', async () => {
    const [id, one] = [await record(), await make()];
    await store(id, [one]);
    expect(await store(id, [await make(otherShop)], otherShop.owner)).toMatchObject({ status: 404 });
    expect(await taken(id, one, otherShop.owner)).toMatchObject({ status: 404 });
  });
});

describe.each(['lead', 'deal'])('on a %s, labels', (kind) => {
  const record = async () => (await shop.owner.post(`/api/${kind}/create`, { name: 'Ada' })).body.data.id;
  const add = (id: string, label_ids: string[]) => shop.owner.post(`/api/${kind}/add-label/${id}`, { label_ids });
  const shown = async (id: string) => (await shop.owner.get(`/api/${kind}/show/${id}`)).body.data.labels;

  test('are added, and the response has all labels of the record', async () => {
    const [id, one, two] = [await record(), await label(), await label({ color: '#ff0000' })];
    await add(id, [one]);
    const { status, body } = await add(id, [two, one]);
    expect(status).toBe(200);
    expect(new Set(body.data.map((row: { id: string }) => row.id))).toEqual(new Set([one, two]));
    expect(await shown(id)).toEqual(body.data);
  });

  test('must match the pipeline, and are removed when the pipeline changes', async () => {
    const { data: other } = (await shop.owner.post('/api/pipeline/create', { name: crypto.randomUUID() })).body;
    const [id, ours, theirs, all] = [
      await record(),
      await label({ pipeline_id: shop.pipeline.id }),
      await label({ pipeline_id: other.id }),
      await label(),
    ];
    expect(await add(id, [theirs])).toMatchObject({
      status: 422,
      body: { errors: { label_ids: [expect.any(String)] } },
    });
    await add(id, [ours, all]);
    const [stage] = (await shop.owner.get(`/api/${kind}-stages?pipeline_id=${other.id}`)).body.data;
    await shop.owner.post(`/api/${kind}/update/${id}`, { pipeline_id: other.id, stage_id: stage.id });
    expect((await shown(id)).map((row: { id: string }) => row.id)).toEqual([all]);
    expect(await add(id, [theirs])).toMatchObject({ status: 200 });
  });

  test('are replaced by an update of the record', async () => {
    const [id, one, two] = [await record(), await label(), await label()];
    await add(id, [one]);
    await shop.owner.post(`/api/${kind}/update/${id}`, { label_ids: [two] });
    expect((await shown(id)).map((row: { id: string }) => row.id)).toEqual([two]);
    await shop.owner.post(`/api/${kind}/update/${id}`, { label_ids: [] });
    expect(await shown(id)).toEqual([]);
    const audit =
      await serving.sql`SELECT action FROM journal_changes WHERE table_name = ${`${kind}_labels`} AND after ->> ${`${kind}_id`} = ${id}`;
    expect(audit).toHaveLength(2);
  });
});
