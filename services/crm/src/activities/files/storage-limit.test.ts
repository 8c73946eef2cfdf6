import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, sortedStatuses, freezeClock, runConcurrently } from '@suite/testing';
import { openCrm, type Shop } from '../../../test/fixture.ts';
import { removeDiscardedFiles } from './file-removal.ts';
import { reportStorage } from './report-storage.ts';

const { serving, platform, shop: openShop } = await openCrm();
const MB = 1024 * 1024;
let shop: Shop;
let kim: Member;
let lead: string;
beforeEach(async () => {
  shop = await openShop();
  kim = shop.member({ limits: { storage_mb: 1 } });
  lead = (await kim.post('/api/lead/create', { name: 'Ada' })).body.data.id;
});

const store = (bytes: number, by = kim, field = 'file', id = lead) => {
  const form = new FormData();
  form.set(field, new Blob(['a'.repeat(bytes)]), 'offer.txt');
  return by.upload(`/api/lead-file/store/${id}`, form);
};
const storageLimitError = (used: number, allowed = 1) => ({
  status: 409,
  body: { code: 'plan_limit', details: { limit: 'storage_mb', allowed, used } },
});
const remove = async (id: string) => {
  expect((await shop.owner.delete(`/api/lead-file/${lead}/delete/${id}`)).status).toBe(200);
  await removeDiscardedFiles.work(serving.tools as never);
};
const report = () => reportStorage.work(serving.tools as never);
const countedBytes = async () => {
  const [row] =
    await serving.sql`SELECT bytes::int, reported_bytes::int, allowed_mb FROM storage_use WHERE workspace_id = ${shop.workspace}`;
  return row;
};
const reports = () => platform.calls.filter((call) => call.startsWith(`reportStorage ${shop.workspace}`));

describe('a plan with a limit of 1 MB', () => {
  test('accepts files up to the last byte, and stores nothing of a rejected file', async () => {
    expect((await store(MB - 10)).status).toBe(201);
    expect(await store(11)).toMatchObject(storageLimitError(1));
    expect(await countedBytes()).toMatchObject({ bytes: MB - 10 });
    expect((await kim.get(`/api/lead/show/${lead}`)).body.data.files).toHaveLength(1);
    expect((await store(10)).status).toBe(201);
    expect(await store(1)).toMatchObject(storageLimitError(1));
  });

  test('is checked last: faults of the upload itself are reported first', async () => {
    await store(MB);
    expect((await store(1, kim, 'other')).status).toBe(422);
    expect((await store(1, kim, 'file', crypto.randomUUID())).status).toBe(404);
    expect((await store(1, shop.member({ can: ['lead.view'], limits: { storage_mb: 1 } }))).status).toBe(403);
  });

  test('accepts one of twenty concurrent uploads for the last free space', async () => {
    await store(MB - 100);
    expect(sortedStatuses(await runConcurrently(20, () => store(100)))).toEqual([201, ...Array(19).fill(409)]);
    expect(await countedBytes()).toMatchObject({ bytes: MB });
  });

  test('accepts files again after one is deleted', async () => {
    const { data } = (await store(MB)).body;
    expect(await store(1)).toMatchObject(storageLimitError(1));
    await remove(data.id);
    expect(await countedBytes()).toMatchObject({ bytes: 0 });
    expect((await store(MB)).status).toBe(201);
  });

  test('applies to each workspace separately', async () => {
    await store(MB);
    const other = await openShop();
    const robin = other.member({ limits: { storage_mb: 1 } });
    const otherLead = (await robin.post('/api/lead/create', { name: 'Bob' })).body.data.id;
    expect((await store(MB, robin, 'file', otherLead)).status).toBe(201);
  });

  test('removes no files of a workspace over the limit, and rejects only uploads', async () => {
    const { data } = (await store(2 * MB, shop.owner)).body;
    await store(MB, shop.owner);
    expect(await store(1)).toMatchObject(storageLimitError(3));
    expect((await kim.get(`/api/lead/show/${lead}`)).body.data.files).toHaveLength(2);
    await remove(data.id);
    expect((await kim.get(`/api/lead/show/${lead}`)).body.data.files).toHaveLength(1);
  });

  test('counts a file shared by a lead and its deal once, while either exists', async () => {
    await store(100);
    const { id } = (await shop.owner.post(`/api/lead/convert-to-deal/${lead}`, { copy: ['files'] })).body.data;
    const [taken] = (await shop.owner.get(`/api/deal/show/${id}`)).body.data.files;
    expect(await countedBytes()).toMatchObject({ bytes: 100 });
    expect((await shop.owner.delete(`/api/deal-file/${id}/delete/${taken.id}`)).status).toBe(200);
    await removeDiscardedFiles.work(serving.tools as never);
    expect(await countedBytes()).toMatchObject({ bytes: 100 });
  });
});

describe('storage used by other services', () => {
  test('counts with the last reported size', async () => {
    platform.storage.set(shop.workspace, { elsewhere_bytes: String(MB / 2), allowed_mb: 1 });
    expect((await store(MB / 4)).status).toBe(201);
    await report();
    expect(reports()).toEqual([`reportStorage ${shop.workspace} ${MB / 4}`]);
    expect(await store(MB / 2)).toMatchObject(storageLimitError(1));
    expect((await store(MB / 4)).status).toBe(201);
  });

  test('is requested after a change, and again near the limit to detect deletions', async () => {
    const elsewhere = (bytes: number) =>
      platform.storage.set(shop.workspace, { elsewhere_bytes: String(bytes), allowed_mb: 1 });
    elsewhere(0);
    await store(MB / 2);
    await report();
    await report();
    expect(reports()).toHaveLength(1);
    elsewhere(MB / 2);
    await store(1, shop.owner);
    await report();
    expect(await store(1)).toMatchObject(storageLimitError(2));
    elsewhere(0);
    await report();
    expect(reports()).toHaveLength(3);
    expect((await store(1)).status).toBe(201);
  });

  test('is requested again if there was no plan, since one may be active now', async () => {
    const still = freezeClock('2030-01-01T08:00:00.000Z');
    platform.storage.set(shop.workspace, { allowed_mb: 0 });
    await store(1, shop.owner);
    await report();
    await report();
    expect(await countedBytes()).toMatchObject({ allowed_mb: 0 });
    expect(reports()).toHaveLength(1);
    platform.storage.set(shop.workspace, { allowed_mb: 1 });
    still.goTo('2030-01-01T08:10:00.001Z');
    await report();
    expect(await countedBytes()).toMatchObject({ allowed_mb: 1 });
  });

  test('is requested first after a change, even with many workspaces near their limit', async () => {
    await serving.sql`
      INSERT INTO storage_use (workspace_id, bytes, reported_bytes, allowed_mb)
      SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, ${MB}, ${MB}, 1 FROM generate_series(1, 200) AS n`;
    await store(1, shop.owner);
    await report();
    expect(reports()).toHaveLength(1);
    await serving.sql`DELETE FROM storage_use WHERE workspace_id::text LIKE '00000000-%'`;
  });

  test('keeps the last value if platform is unavailable, and uploads continue', async () => {
    platform.storage.set(shop.workspace, { elsewhere_bytes: String(MB / 2), allowed_mb: 1 });
    await store(1);
    await report();
    platform.storage.set(shop.workspace, 'down');
    expect((await store(MB / 2 - 1)).status).toBe(201);
    await report();
    expect(await store(1)).toMatchObject(storageLimitError(1));
    expect(await countedBytes()).toMatchObject({ bytes: MB / 2, reported_bytes: 1 });
  });
});
