import { beforeEach, describe, expect, test } from '@jest/globals';
import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { countEarlierFiles } from '@suite/chassis/testing';
import sharp from 'sharp';
import { openInventory, type Shop } from '../../test/fixture.ts';
import { removeDiscardedImages } from './picture.ts';

const { serving, shop: openShop } = await openInventory();
let shop: Shop;
let id: string;
beforeEach(async () => {
  shop = await openShop();
  id = (await shop.owner.post('/api/product/create', { name: 'Chair', sku: 'C-1' })).body.data.id;
});

const form = (content: Uint8Array | string) => {
  const upload = new FormData();
  upload.set('image', new Blob([content]), 'chair.png');
  return upload;
};
const picture = () =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();

test('resizes an image to two sizes, opens by its link, and is replaced by the next', async () => {
  const { status, body } = await shop.owner.upload(`/api/product/image/${id}`, form(await picture()));
  expect(status).toBe(200);
  const opened = await serving.anonymous.get(body.data.image_thumbnail_url);
  expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'image/webp']);
  const listed = (await shop.owner.get('/api/products')).body.data;
  expect(listed[0]).toMatchObject({ image_url: expect.stringContaining('/api/product-image/') });
  const next = await shop.owner.upload(`/api/product/image/${id}`, form(await picture()));
  for (const name of ['image_url', 'image_thumbnail_url'])
    expect(await serving.anonymous.get(body.data[name])).toMatchObject({ status: 404 });
  const discarded = () => serving.sql`SELECT key FROM discarded_files WHERE workspace_id = ${shop.workspace}`;
  expect(await discarded()).toHaveLength(2);
  await removeDiscardedImages.work(serving.tools as never);
  expect(await discarded()).toEqual([]);
  expect(await serving.anonymous.get(body.data.image_url)).toMatchObject({ status: 404 });
  expect((await serving.anonymous.get(next.body.data.image_url)).status).toBe(200);
  expect(await shop.owner.delete(`/api/product/delete/${id}`)).toMatchObject({ status: 200 });
  expect((await serving.anonymous.get(next.body.data.image_url)).status).toBe(404);
  expect(await discarded()).toHaveLength(2);
});

test('rejects a file that is not an image', async () => {
  const torn = (await picture()).subarray(0, 60);
  expect(await shop.owner.upload(`/api/product/image/${id}`, form(torn))).toMatchObject({ status: 422 });
  expect(await shop.owner.upload(`/api/product/image/${id}`, form('text'))).toMatchObject({ status: 415 });
  expect(await serving.anonymous.get('/api/product-image/abc.def')).toMatchObject({ status: 403 });
});

describe('the storage of product images', () => {
  const upload = () => picture().then((content) => shop.owner.upload(`/api/product/image/${id}`, form(content)));
  const folder = () => join(serving.files_directory, shop.workspace);
  const onDisk = async () => {
    const sizes = (await readdir(folder())).map(async (name) => (await stat(join(folder(), name))).size);
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  };
  const counted = async () => {
    const [row] = await serving.sql`SELECT bytes::int FROM storage_use WHERE workspace_id = ${shop.workspace}`;
    return row?.bytes as number | undefined;
  };

  test('counts the resized files only, without the upload and rejected files', async () => {
    await upload();
    expect(await counted()).toBe(await onDisk());
    await upload();
    await shop.owner.upload(`/api/product/image/${crypto.randomUUID()}`, form(await picture()));
    await removeDiscardedImages.work(serving.tools as never);
    expect(await counted()).toBe(await onDisk());
    await shop.owner.delete(`/api/product/delete/${id}`);
    await removeDiscardedImages.work(serving.tools as never);
    expect(await counted()).toBe(0);
  });

  test('counts files of an earlier release once', async () => {
    await upload();
    await serving.sql`DELETE FROM stored_objects WHERE workspace_id = ${shop.workspace}`;
    await serving.sql`DELETE FROM storage_use WHERE workspace_id = ${shop.workspace}`;
    for (const name of await readdir(folder())) await utimes(join(folder(), name), 0, 0);
    for (const _ of [1, 2]) await countEarlierFiles.work(serving.tools);
    expect(await counted()).toBe(await onDisk());
  });

  test('is checked against the plan, including the resized images', async () => {
    const kim = shop.member({ limits: { storage_mb: 0 } });
    expect(await kim.upload(`/api/product/image/${id}`, form(await picture()))).toMatchObject({
      status: 409,
      body: { code: 'plan_limit', details: { limit: 'storage_mb', allowed: 0, used: 0 } },
    });
    expect(await readdir(folder())).toEqual([]);
  });
});
