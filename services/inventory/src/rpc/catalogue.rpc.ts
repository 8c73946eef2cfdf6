/** Methods that look up products, taxes, warehouses, availability and the stock value. */
import { Id } from '@suite/chassis/fields';
import { InventoryServiceDefinition } from '@suite/proto/inventory/v1/inventory';
import { z } from 'zod';
import { method } from '../operations.ts';
import { availabilityOf, productsOf, stockedProducts, taxesOf, warehousesOf } from './catalogue.ts';
import { recentPostings, reservationsOf, stockValue, valueByAccount, valueOfSources } from './stock-value.ts';

const { methods } = InventoryServiceDefinition;

const MAX_IDS = 1_000;
const Ids = z.array(Id).max(MAX_IDS, `Send at most ${MAX_IDS} IDs.`);
const Places = z
  .array(z.object({ product_id: Id, warehouse_id: Id }))
  .max(MAX_IDS, `Send at most ${MAX_IDS} stock locations.`);
const Sources = z
  .array(z.object({ type: z.string().max(100), id: z.string().max(100), number: z.string() }))
  .max(MAX_IDS, `Send at most ${MAX_IDS} sources.`);

/** Returns products by ID, each with its taxes in order of application. */
export const batchGetProducts = method(methods.batchGetProducts, {
  summary: 'Get products by ID',
  only: ['crm'],
  input: z.object({ product_ids: Ids }),
  handle: async ({ db, input }) => ({ products: await productsOf(db, input.product_ids) }),
});

/** Returns taxes by ID. */
export const batchGetTaxes = method(methods.batchGetTaxes, {
  summary: 'Get taxes by ID',
  only: ['finance', 'projects'],
  input: z.object({ tax_ids: Ids }),
  handle: async ({ db, input }) => ({ taxes: await taxesOf(db, input.tax_ids) }),
});

/** Returns warehouses by ID. Without IDs, returns all active ones. */
export const batchGetWarehouses = method(methods.batchGetWarehouses, {
  summary: 'Get warehouses by ID',
  only: ['crm', 'finance'],
  input: z.object({ warehouse_ids: Ids }),
  handle: async ({ db, input }) => ({ warehouses: await warehousesOf(db, input.warehouse_ids) }),
});

/** Returns all records that the lines of a document refer to, in one call. */
export const batchGetCatalogue = method(methods.batchGetCatalogue, {
  summary: 'Get products, taxes and warehouses by ID',
  only: ['crm', 'finance'],
  input: z.object({ product_ids: Ids, tax_ids: Ids, warehouse_ids: Ids, without_warehouses: z.boolean() }),
  handle: async ({ db, input: { product_ids, tax_ids, warehouse_ids, without_warehouses } }) => {
    const products = product_ids.length > 0 ? await productsOf(db, product_ids) : [];
    const taxes = tax_ids.length > 0 ? await taxesOf(db, tax_ids) : [];
    const warehouses = without_warehouses ? [] : await warehousesOf(db, warehouse_ids);
    return { products, taxes, warehouses };
  },
});

/** Returns the available quantities at stock locations. */
export const checkAvailability = method(methods.checkAvailability, {
  summary: 'Get available quantities',
  only: ['crm', 'finance'],
  input: z.object({ places: Places }),
  handle: async ({ db, input }) => ({ availabilities: await availabilityOf(db, input.places) }),
});

/** Returns the products of a warehouse, for a picker. */
export const listStockedProducts = method(methods.listStockedProducts, {
  summary: 'List the products of a warehouse',
  only: ['crm'],
  input: z.object({ warehouse_id: Id, q: z.string().max(200), limit: z.int().min(1).max(MAX_IDS) }),
  handle: async ({ db, input }) => ({ products: await stockedProducts(db, input) }),
});

/** Returns the stock value, for comparisons with the ledger. */
export const getStockValue = method(methods.getStockValue, {
  summary: 'Get the stock value',
  only: ['finance'],
  input: z.object({ sources: Sources }),
  handle: async ({ db, input }) => ({
    value: await stockValue(db),
    sources: await valueOfSources(db, input.sources),
    accounts: await valueByAccount(db),
    recent: await recentPostings(db),
  }),
});

/** Returns the open reservations of orders, for comparisons with crm. */
export const listOrderReservations = method(methods.listOrderReservations, {
  summary: 'List open order reservations',
  only: ['finance'],
  input: z.object({ sales_order_ids: Ids }),
  handle: async ({ db, input }) => ({ reservations: await reservationsOf(db, input.sales_order_ids) }),
});
