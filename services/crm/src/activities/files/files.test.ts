import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openCrm, type Shop } from '../../../test/fixture.ts';
import { removeDiscardedFiles } from './file-removal.ts';

const { serving, platform, shop: openShop } = await openCrm();
let shop: Shop;
let otherShop: Shop;
beforeAll(async () => {
  [shop, otherShop] = [await openShop(), await openShop()];
});

const tools = serving.tools as unknown as Parameters<typeof removeDiscardedFiles.work>[0];
const form = (content: string | Uint8Array<ArrayBuffer> = 'An offer.', name = 'offer.txt', field = 'file') => {
  const made = new FormData();
  made.set(field, new Blob([content]), name);
  return made;
};
const keysOf = async (name: string) =>
  (await serving.sql`SELECT key FROM files WHERE name = ${name}`).map(({ key }) => key as string);
const isStored = (key: string) =>
  access(join(serving.files_directory, key)).then(
    () => true,
    () => false,
  );
/** Returns the status for an unauthenticated request to the link of a file. */
const linkOf = async ({ url }: { url: string }) => (await fetchLink(url)).status;
const fetchLink = (url: string) =>
  fetch(new URL(new URL(url).pathname, serving.url), {
    headers: { authorization: `Bearer ${serving.gateway.sign('crm', null)}` },
  });

describe.each(['lead', 'deal'])('a file of a %s', (kind) => {
  const record = async (by = shop) => (await by.owner.post(`/api/${kind}/create`, { name: 'Ada' })).body.data.id;
  const store = (id: string, body = form(), by: Pick<Shop['owner'], 'upload'> = shop.owner) =>
    by.upload(`/api/${kind}-file/store/${id}`, body);
  const show = async (id: string) => (await shop.owner.get(`/api/${kind}/show/${id}`)).body.data;

  test('is shown with the record, and its link works without a session', async () => {
    const id = await record();
    const { status, body } = await store(id, form('Grüße', 'über uns.txt'));
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ name: 'über uns.txt', size: 7, mime: 'text/plain' });
    const shown = await show(id);
    expect(shown.files).toMatchObject([{ id: body.data.id, name: 'über uns.txt' }]);
    expect(shown.files[0]).not.toHaveProperty('key');
    expect(shown.timeline[0]).toMatchObject({ type: 'file_added', payload: { name: 'über uns.txt' } });
    const fetched = await fetchLink(shown.files[0].url);
    expect(fetched.status).toBe(200);
    expect(await fetched.text()).toBe('Grüße');
    expect(fetched.headers.get('content-disposition')).toMatch(/^attachment/);
  });

  test('has a link that cannot be forged or changed', async () => {
    const { url } = (await store(await record())).body.data;
    const forged = url.slice(0, -4) + (url.endsWith('AAAA') ? 'BBBB' : 'AAAA');
    for (const path of [forged, `/api/${kind}-file/download/${crypto.randomUUID()}`]) {
      expect(await serving.anonymous.get(path)).toMatchObject({ status: 403, body: { code: 'link_expired' } });
    }
  });

  test("has a link that expires with its user's account, permission or access", async () => {
    const can = [`${kind}.view`, `${kind}.update`, `${kind}.create`];
    const robin = shop.member({ user_id: shop.hire(), can, record_scopes: { [kind]: 'own' } });
    const { user_id } = robin.caller;
    const id = await record();
    await shop.owner.post(`/api/${kind}-user/store/${id}`, { user_ids: [user_id] });
    const own = (await store(id, form('x', 'own.txt'), robin)).body.data;
    const ofOwner = (await show(id)).files[0];
    expect([await linkOf(own), await linkOf(ofOwner)]).toEqual([200, 200]);
    const rights = { permissions: can, record_scopes: { [kind]: 'own' }, modules: ['crm'] };
    const withRights = async (changed: object) => {
      platform.rights.set(user_id, { ...rights, ...changed });
      return await linkOf(own);
    };
    expect(await withRights({ permissions: [`${kind}.update`] })).toBe(404);
    expect(await withRights({ modules: [] })).toBe(404);
    expect(await withRights({})).toBe(200);
    shop.hire({ user_id, status: 'inactive' });
    expect(await linkOf(own)).toBe(404);
    shop.hire({ user_id });
    expect(await linkOf(own)).toBe(200);
    await shop.owner.delete(`/api/${kind}-user/${id}/delete/${user_id}`);
    expect([await linkOf(own), await linkOf(ofOwner)]).toEqual([404, 200]);
  });

  test('is removed from the storage after its row is deleted, and not before', async () => {
    const name = `${crypto.randomUUID()}.txt`;
    const id = await record();
    const file = (await store(id, form('x', name))).body.data;
    const [key] = await keysOf(name);
    expect(await isStored(key!)).toBe(true);
    expect(await linkOf(file)).toBe(200);
    expect((await shop.owner.delete(`/api/${kind}-file/${id}/delete/${file.id}`)).body.data).toEqual({
      id: file.id,
      deleted: true,
    });
    expect((await show(id)).files).toEqual([]);
    expect(await isStored(key!)).toBe(true);
    expect(await linkOf(file)).toBe(404);
    await removeDiscardedFiles.work(tools);
    expect(await isStored(key!)).toBe(false);
    expect(await serving.sql`SELECT FROM discarded_files WHERE key = ${key}`).toEqual([]);
  });

  test('is deleted with its record', async () => {
    const name = `${crypto.randomUUID()}.txt`;
    const id = await record();
    const file = (await store(id, form('x', name))).body.data;
    const [key] = await keysOf(name);
    await shop.owner.delete(`/api/${kind}/delete/${id}`);
    expect(await linkOf(file)).toBe(404);
    await removeDiscardedFiles.work(tools);
    expect(await isStored(key!)).toBe(false);
  });

  test('belongs to the record in the path', async () => {
    const [id, other] = [await record(), await record()];
    const file = (await store(id)).body.data;
    expect(await shop.owner.delete(`/api/${kind}-file/${other}/delete/${file.id}`)).toMatchObject({ status: 404 });
    expect(await otherShop.owner.delete(`/api/${kind}-file/${id}/delete/${file.id}`)).toMatchObject({ status: 404 });
    expect(await store(id, form(), otherShop.owner)).toMatchObject({ status: 404 });
    expect((await show(id)).files).toHaveLength(1);
  });

  test.each([
    ['none', new FormData(), 422],
    ['an empty one', form(''), 422],
    ['one in another field', form('x', 'x.txt', 'document'), 422],
    ['a drawing that a browser would run', form('<svg onload="alert(1)"/>', 'x.txt'), 415],
    ['a program', form(new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]), 'x.pdf'), 415],
  ])('is rejected without leftovers when it is %s', async (_, body, status) => {
    const id = await record();
    expect((await store(id, body)).status).toBe(status);
    expect((await show(id)).files).toEqual([]);
  });
});

test('an object shared by a lead and its deal remains until both are deleted', async () => {
  const name = `${crypto.randomUUID()}.txt`;
  const { id } = (await shop.owner.post('/api/lead/create', { name: 'Ada' })).body.data;
  await shop.owner.upload(`/api/lead-file/store/${id}`, form('x', name));
  const deal = (await shop.owner.post(`/api/lead/convert-to-deal/${id}`, { copy: ['files'] })).body.data;
  const [key, copy] = await keysOf(name);
  expect(copy).toBe(key);
  const [file] = (await shop.owner.get(`/api/deal/show/${deal.id}`)).body.data.files;
  await shop.owner.delete(`/api/deal-file/${deal.id}/delete/${file.id}`);
  await removeDiscardedFiles.work(tools);
  expect(await isStored(key!)).toBe(true);
  await serving.sql`DELETE FROM files WHERE key = ${key}`;
  await removeDiscardedFiles.work(tools);
  expect(await isStored(key!)).toBe(false);
});

test('a discarded file stays for DISCARDED_FILES_DAYS, but its space is free', async () => {
  const name = `${crypto.randomUUID()}.txt`;
  const { id } = (await shop.owner.post('/api/lead/create', { name: 'Ada' })).body.data;
  const usedBytes = async () =>
    (await serving.sql`SELECT bytes::int FROM storage_use WHERE workspace_id = ${shop.workspace}`)[0]!['bytes'];
  const before = await usedBytes();
  const file = (await shop.owner.upload(`/api/lead-file/store/${id}`, form('x', name))).body.data;
  const [key] = await keysOf(name);
  await shop.owner.delete(`/api/lead-file/${id}/delete/${file.id}`);
  const removeAfter = async (days: number) => {
    await serving.sql`UPDATE discarded_files SET discarded_at = now() - make_interval(days => ${days}) WHERE key = ${key}`;
    await removeDiscardedFiles.work({ ...tools, config: { DISCARDED_FILES_DAYS: 14 } });
    return await isStored(key!);
  };
  expect(await removeAfter(0)).toBe(true);
  expect(await usedBytes()).toBe(before);
  expect(await removeAfter(13)).toBe(true);
  expect(await removeAfter(15)).toBe(false);
  expect(await usedBytes()).toBe(before);
});
