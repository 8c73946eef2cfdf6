/** Views of products: in lists with expandable fields, and single products with all details. */
import { type Sql, sql } from '@suite/chassis/database';
import type { FileLinks } from '@suite/chassis/files';
import type { Caller } from '@suite/chassis/identity';
import { type Expansion, many, one, readOne, type View } from '@suite/chassis/lists';
import type { z } from 'zod';
import type { Db } from '../operations.ts';
import { averageOf } from '../stock/stock.view.ts';
import { imageUrl } from './picture.ts';
import { Product, type ProductDetails } from './product.schema.ts';
import { productStates } from './product.rules.ts';

/** Returns the total over all warehouses. */
const total = (column: Sql): Sql =>
  sql`SELECT coalesce(sum(${column}), 0) FROM stock_levels WHERE stock_levels.product_id = products.id`;

export const choiceColumns: Record<string, Sql> = {
  tax_ids: sql`ARRAY(SELECT tax_id FROM product_taxes WHERE product_taxes.product_id = products.id ORDER BY position)`,
  total_available: total(sql`on_hand - reserved`),
};

const computed: Record<string, Sql> = {
  ...choiceColumns,
  total_on_hand: total(sql`on_hand`),
  stock_value: total(sql`value`),
  average_cost: sql`
    SELECT ${averageOf(sql`sum(value)`, sql`sum(on_hand)`)} FROM stock_levels WHERE stock_levels.product_id = products.id`,
  // Keys of the images, which are later replaced by links.
  image_url: sql`image`,
  image_thumbnail_url: sql`image_thumbnail`,
};

/** Expansions of a product, which are loaded on demand. */
const expansions = (db: Db): Record<string, Expansion> => ({
  category: one('category_id', (ids) =>
    db.rows(sql`SELECT id, name, color FROM categories WHERE id = ANY(${ids}::uuid[])`),
  ),
  unit: one('unit_id', (ids) => db.rows(sql`SELECT id, name, symbol FROM units WHERE id = ANY(${ids}::uuid[])`)),
  taxes: many('product_id', (ids) =>
    db.rows(sql`
      SELECT product_id, taxes.id, name, rate, kind, inclusive, compound
      FROM product_taxes JOIN taxes ON taxes.id = product_taxes.tax_id
      WHERE product_id = ANY(${ids}::uuid[]) ORDER BY position`),
  ),
  stock: many('product_id', (ids) =>
    db.rows(sql`
      SELECT product_id, on_hand, reserved, on_hand - reserved AS available, value,
        ${averageOf(sql`value`, sql`on_hand`)} AS average_cost,
        json_build_object('id', warehouses.id, 'name', warehouses.name, 'code', warehouses.code) AS warehouse
      FROM stock_levels JOIN warehouses ON warehouses.id = stock_levels.warehouse_id
      WHERE product_id = ANY(${ids}::uuid[]) ORDER BY warehouses.is_default DESC, warehouses.name, warehouses.id`),
  ),
});

const state = sql`CASE WHEN products.active THEN 'active' ELSE 'archived' END`;

export const productView = (db: Db, caller: Caller): View => ({
  table: 'products',
  compute: { ...computed, allowed_actions: productStates.shownTo(caller, 'products', state) },
  expand: expansions(db),
});

interface RowWithImages {
  image_url?: string | null;
  image_thumbnail_url?: string | null;
}

/** Replaces the keys of images by links. */
export function link<Row extends RowWithImages>(links: FileLinks, row: Row): Row {
  const { image_url = null, image_thumbnail_url = null } = row;
  return {
    ...row,
    image_url: imageUrl(links, image_url),
    image_thumbnail_url: imageUrl(links, image_thumbnail_url),
  };
}

/** Context for reading a product. */
interface ProductViewContext {
  db: Db;
  caller: Caller;
  links: FileLinks;
}

/** Returns a product with its stock in every warehouse. @throws NotFound */
export async function showProduct({ db, caller, links }: ProductViewContext, id: string) {
  const product = await readOne(db, Product, id, productView(db, caller));
  return link(links, product) as z.input<typeof ProductDetails>;
}
