import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { upsertUserProfile } from '@suite/user-copies';
import { openCrm, type Shop } from '../../../test/fixture.ts';

const { serving, shop: openShop } = await openCrm();
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});

const createId = async (path: string) => (await shop.owner.post(path, { name: crypto.randomUUID() })).body.data.id;
const store = (kind: string, member: string) => (id: string, one: string) =>
  shop.owner.post(`/api/${kind}-${member}/store/${id}`, { [`${member}_ids`]: [one] });

/** Creates a member of a record, and adds it to the record. */
const belongings = (
  kind: string,
): Record<string, [() => Promise<string>, (id: string, one: string) => Promise<unknown>]> => ({
  label_id: [
    () => createId('/api/label/create'),
    (id, one) => shop.owner.post(`/api/${kind}/add-label/${id}`, { label_ids: [one] }),
  ],
  source_id: [() => createId('/api/source/create'), store(kind, 'source')],
  user_id: [async () => shop.hire(), store(kind, 'user')],
  product_id: [
    async () => shop.stock.product(),
    (id, one) => shop.owner.post(`/api/${kind}/assign-products/${id}`, { products: [{ product_id: one }] }),
  ],
  ...(kind === 'deal' && { client_id: [async () => shop.hire({ kind: 'client' }), store(kind, 'client')] }),
});

describe.each([
  ...['label_id', 'source_id', 'user_id', 'product_id'].flatMap((name) => [
    ['lead', name],
    ['deal', name],
  ]),
  ['deal', 'client_id'],
])('a list of %ss', (kind = '', name = '') => {
  test(`is filtered by ${name}, alone and with other filters`, async () => {
    const [make, put] = belongings(kind)[name]!;
    const record = async () => (await shop.owner.post(`/api/${kind}/create`, { name: 'Ada' })).body.data.id;
    const [first, second, third, one, other] = [
      await record(),
      await record(),
      await record(),
      await make(),
      await make(),
    ];
    await put(first, one);
    await put(second, other);
    await put(third, one);
    const found = async (query: string) =>
      (await shop.owner.get(`/api/${kind}s?sort=created_at&${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await found(`${name}=${one}`)).toEqual([first, third]);
    expect(await found(`${name}[in]=${one},${other}`)).toEqual([first, second, third]);
    expect(await found(`${name}=${one}&id[ne]=${first}&name=Ada`)).toEqual([third]);
    const elsewhere = await openShop();
    expect((await elsewhere.owner.get(`/api/${kind}s?${name}=${one}`)).body.data).toEqual([]);
  });

  test(`has an index for the filter by ${name}`, async () => {
    const table = `${kind}_${name.replace('_id', 's')}`;
    const [{ columns = [] } = {}] = await serving.sql<{ columns?: string[] }>`
      SELECT array_agg(indexdef) AS columns FROM pg_indexes WHERE tablename = ${table}`;
    expect(columns.filter((index) => index.includes(`(workspace_id, ${name})`))).toHaveLength(1);
  });
});

test('users are searched by name and filtered by their last change', async () => {
  const user_id = shop.hire({ name: 'Grace Hopper' });
  const lead = await shop.owner.post('/api/lead/create', { name: 'Ada', owner_id: user_id });
  expect(lead.status).toBe(201);
  const found = async (query: string) => (await shop.owner.get(`/api/lead/get-users?${query}`)).body.data;
  expect(await found('q=hopp')).toMatchObject([{ id: user_id, name: 'Grace Hopper', updated_at: expect.any(String) }]);
  expect(await found('q=hopp&updated_at[gte]=9999-01-01')).toEqual([]);
  const [{ updated_at }] = await found(`id=${user_id}`);
  const context = { workspace_id: shop.workspace, caller: null, operation: 'test', request_id: randomUUID() };
  const person = { user_id, name: 'Grace M. Hopper', email: '', phone: '', kind: 'staff', status: 'active' };
  await serving.database.write(context, (db) => upsertUserProfile(db as never, person, 2));
  const [changed] = await found(`id=${user_id}&updated_at[gt]=${updated_at}`);
  expect(changed).toMatchObject({ name: 'Grace M. Hopper' });
});
