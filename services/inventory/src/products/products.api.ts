/** Products: the things and services that a workspace buys and sells, with what is there of each. */
import {
  can,
  change,
  created,
  find,
  idOf,
  LinkExpired,
  ok,
  openByFileLink,
  page,
  paginate,
  removed,
  sendLinked,
  sql,
  stream,
} from '@suite/chassis';
import { fileLinkHolder } from '@suite/users';
import { z } from 'zod';
import { inProducts } from '../operations.ts';
import { askForAccounts } from './accounts.ts';
import { discardPictures, redraw } from './picture.ts';
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
    '`q` searches names, SKUs, barcodes and descriptions. Archived ones are shown too, unless `active=true`.',
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
  description: 'Active ones only, by name, with little about each.',
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
  description: 'With its stock in every warehouse.',
  access: can('product.view'),
  params: { id: idOf('products') },
  reply: ok(ProductDetails),
  handle: ({ params, ...work }) => showProduct(work, params.id),
});

export const create = command('POST /api/product/create', {
  summary: 'Create a product or service',
  description: 'An SKU is taken once, by archived products too.',
  access: can('product.create'),
  body: ProductInput,
  reply: created(ProductDetails),
  prepare: ({ rpc, body }) => askForAccounts(rpc, body),
  handle: async ({ body, ...work }) => showProduct(work, await createProduct(work, body)),
});

export const update = command('POST /api/product/update/{id}', {
  summary: 'Update a product',
  description:
    '`active: false` archives it, once there is no stock of it. When goods have moved, its type, unit and tracking stay.',
  access: productStates.can('update', 'archive', 'restore'),
  params: { id: idOf('products') },
  body: ProductChanges,
  reply: ok(ProductDetails),
  faults: [ProductHasMoved, ProductHasStock, StockIsNegative],
  prepare: ({ rpc, body }) => askForAccounts(rpc, body),
  async handle({ params, body, expect, ...work }) {
    await changeProduct(work, params.id, body, expect);
    return await showProduct(work, params.id);
  },
});

export const remove = command('DELETE /api/product/delete/{id}', {
  summary: 'Delete a product',
  description: 'Only one that was never used. Archive others with `active: false`.',
  access: can('product.delete'),
  params: { id: idOf('products') },
  reply: removed,
  deletes: 'inventory.product',
  handle: ({ db, params }) => removeProduct(db, params.id),
});

export const uploadImage = command('POST /api/product/image/{id}', {
  summary: 'Upload a product image',
  description: 'PNG, JPEG, GIF or WebP, up to 5 MiB. It is drawn anew, in two sizes; the former picture goes.',
  access: can('product.update'),
  params: { id: idOf('products') },
  upload: { field: 'image', kinds: 'images', max_bytes: 5 * 1024 * 1024 },
  reply: ok(ProductDetails),
  prepare: ({ files, storage, caller }) => redraw(files, storage, caller.workspace_id),
  async handle({ db, params, prepared: pictures, ...work }) {
    await discardPictures(db, await find(db.product, params.id));
    await change(db.product, params.id, pictures);
    return await showProduct({ ...work, db }, params.id);
  },
});

export const image = query('GET /api/product-image/{token}', {
  summary: 'Download a product image',
  description:
    'Where the links in `image_url` and `image_thumbnail_url` lead. They open for an hour, without signing in.',
  access: openByFileLink(fileLinkHolder, { permission: 'product.view' }),
  params: { token: z.string().max(2_000) },
  reply: stream,
  faults: [LinkExpired],
  handle: ({ db, ...given }) =>
    sendLinked(given, (key) => db.product.findFirst({ where: { OR: [{ image: key }, { image_thumbnail: key }] } })),
});
