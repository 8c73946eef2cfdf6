/** Products and services that you buy and sell, with their stock. */
import { change, find, sql } from '@suite/chassis/database';
import { idOf } from '@suite/chassis/fields';
import { LinkExpired, sendLinked } from '@suite/chassis/files';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, openByFileLink, page, removed, fileOf } from '@suite/chassis/operations';
import { fileLinkHolder } from '@suite/user-copies';
import { z } from 'zod';
import { inProducts } from '../operations.ts';
import { assertUsableAccounts } from './accounts.ts';
import { discardImages, resizeImage } from './picture.ts';
import {
  changeProduct,
  createProduct,
  ProductHasMoved,
  ProductHasStock,
  removeProduct,
  StockIsNegative,
} from './product.ts';
import {
  ChoiceFilter,
  Product,
  ProductChanges,
  ProductChoice,
  ProductDetails,
  ProductFilter,
  ProductInput,
} from './product.schema.ts';
import { choiceColumns, link, productView, showProduct } from './product.view.ts';
import { productStates } from './product.rules.ts';

const { query, command } = inProducts;

export const list = query('GET /api/products', {
  summary: 'List products and services',
  description:
    'Returns products with prices and taxes. `q` searches names, SKUs, barcodes and descriptions. Archived products are included: send `active=true` to exclude them.',
  access: can('product.view'),
  query: ProductFilter,
  reply: page(Product),
  async handle({ db, query, caller, links }) {
    const found = await paginate(db, query, productView(db, caller));
    return { ...found, rows: found.rows.map((row) => link(links, row)) };
  },
});

export const choices = query('GET /api/product-service/items', {
  summary: 'List products for a picker',
  description:
    'Returns active products by name, with the few fields that a picker needs. Use `search` to find a name, SKU or barcode.',
  access: can('product.view'),
  query: ChoiceFilter,
  reply: page(ProductChoice),
  handle: ({ db, query }) =>
    paginate(db, query, {
      table: 'products',
      where: sql`products.active`,
      compute: { ...choiceColumns, unit: sql`SELECT symbol FROM units WHERE units.id = products.unit_id` },
    }),
});

export const show = query('GET /api/product/detail/{id}', {
  summary: 'Get a product',
  description: 'Returns a product with its stock in every warehouse.',
  access: can('product.view'),
  params: { id: idOf('products') },
  reply: ok(ProductDetails),
  handle: ({ params, ...context }) => showProduct(context, params.id),
});

export const create = command('POST /api/product/create', {
  summary: 'Create a product or service',
  description:
    'Creates a product or service. The SKU is unique, archived products included. Without `track_stock`, the product has no stock.',
  access: can('product.create'),
  body: ProductInput,
  reply: created(ProductDetails),
  prepare: ({ rpc, body }) => assertUsableAccounts(rpc, body),
  handle: async ({ body, ...context }) => showProduct(context, await createProduct(context, body)),
});

export const update = command('POST /api/product/update/{id}', {
  summary: 'Update a product',
  description:
    'Updates a product. `active: false` archives it and requires zero stock. Returns `product_has_moved` if you change type, unit or stock tracking after the first stock movement.',
  access: productStates.can('update', 'archive', 'restore'),
  params: { id: idOf('products') },
  body: ProductChanges,
  reply: ok(ProductDetails),
  faults: [ProductHasMoved, ProductHasStock, StockIsNegative],
  prepare: ({ rpc, body }) => assertUsableAccounts(rpc, body),
  async handle({ params, body, expect, ...context }) {
    await changeProduct(context, params.id, body, expect);
    return await showProduct(context, params.id);
  },
});

export const remove = command('DELETE /api/product/delete/{id}', {
  summary: 'Delete a product',
  description:
    'Deletes a product that was never used. Returns 409 `in_use` if a document or stock movement refers to it. Archive it with `active: false` instead.',
  access: productStates.can('delete'),
  params: { id: idOf('products') },
  reply: removed,
  deletes: 'inventory.product',
  handle: ({ db, params }) => removeProduct(db, params.id),
});

export const uploadImage = command('POST /api/product/image/{id}', {
  summary: 'Upload a product image',
  description:
    'Replaces the image. Accepts PNG, JPEG, GIF or WebP up to 5 MiB. Stores the image in two sizes and deletes the previous one.',
  addition: 'A product has an image, which JSON cannot contain.',
  access: can('product.update'),
  params: { id: idOf('products') },
  upload: { field: 'image', kinds: 'images', max_bytes: 5 * 1024 * 1024 },
  reply: ok(ProductDetails),
  prepare: ({ files, storage, caller }) => resizeImage(files, storage, caller.workspace_id),
  async handle({ db, params, prepared: images, ...context }) {
    await discardImages(db, await find(db.product, params.id));
    await change(db.product, params.id, images);
    return await showProduct({ ...context, db }, params.id);
  },
});

export const image = query('GET /api/product-image/{token}', {
  summary: 'Download a product image',
  description:
    'Returns the image of `image_url` or `image_thumbnail_url`. The link needs no token and expires after one to three hours with `link_expired`.',
  addition: 'Target of signed file links: a link needs no token and expires after 15 minutes.',
  access: openByFileLink(fileLinkHolder, { permission: 'product.view' }),
  params: { token: z.string().max(2_000) },
  reply: fileOf('image/*'),
  faults: [LinkExpired],
  handle: ({ db, ...given }) =>
    sendLinked(given, (key) => db.product.findFirst({ where: { OR: [{ image: key }, { image_thumbnail: key }] } })),
});
