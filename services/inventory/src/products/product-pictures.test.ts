import { beforeEach, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { openInventory, type Shop } from '../../test/fixture.ts';
import { removeDiscardedPictures } from './picture.ts';

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

test('a picture is drawn anew in two sizes, opens by its link, and goes with the next one', async () => {
  const { status, body } = await shop.owner.upload(`/api/product/image/${id}`, form(await picture()));
  expect(status).toBe(200);
  const opened = await serving.stranger.get(body.data.image_thumbnail_url);
  expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'image/webp']);
  const listed = (await shop.owner.get('/api/products')).body.data;
  expect(listed[0]).toMatchObject({ image_url: expect.stringContaining('/api/product-image/') });
  const next = await shop.owner.upload(`/api/product/image/${id}`, form(await picture()));
  for (const name of ['image_url', 'image_thumbnail_url'])
    expect(await serving.stranger.get(body.data[name])).toMatchObject({ status: 404 });
  const discarded = () => serving.sql`SELECT key FROM discarded_files WHERE workspace_id = ${shop.workspace}`;
  expect(await discarded()).toHaveLength(2);
  await removeDiscardedPictures.work(serving.tools as never);
  expect(await discarded()).toEqual([]);
  expect(await serving.stranger.get(body.data.image_url)).toMatchObject({ status: 404 });
  expect((await serving.stranger.get(next.body.data.image_url)).status).toBe(200);
  expect(await shop.owner.delete(`/api/product/delete/${id}`)).toMatchObject({ status: 200 });
  expect((await serving.stranger.get(next.body.data.image_url)).status).toBe(404);
  expect(await discarded()).toHaveLength(2);
});

test('a picture that is none is refused', async () => {
  const torn = (await picture()).subarray(0, 60);
  expect(await shop.owner.upload(`/api/product/image/${id}`, form(torn))).toMatchObject({ status: 422 });
  expect(await shop.owner.upload(`/api/product/image/${id}`, form('text'))).toMatchObject({ status: 415 });
  expect(await serving.stranger.get('/api/product-image/abc.def')).toMatchObject({ status: 403 });
});
