/** What inventory answers to other services: what is sold, whether it is there, and moving it. */
import { serveRpc } from '@suite/chassis';
import { InventoryServiceDefinition } from '@suite/proto/inventory/v1/inventory';
import type { Db, Work } from '../operations.ts';
import { releaseFor, reserveOnce } from '../reservations/request.ts';
import { issue, receive, reverse } from '../stock/request.ts';
import { Ids, Issue, Places, Receipt, Release, Reservation, Reversal, Sources, understood } from './asked.schema.ts';
import { availabilityOf, productsOf, taxesOf, warehousesOf } from './catalogue.ts';
import { look, perform } from './perform.ts';
import { recentBookings, stockValue, valueByAccount, valueOfSources } from './worth.ts';

/** Why goods move, by the document that moves them. */
const REASONS = {
  sales_invoice: 'sale',
  sales_order: 'sale',
  purchase_return: 'purchase_return',
  purchase_invoice: 'purchase',
  sales_return: 'sales_return',
} as const;

/** What finance and crm undo by themselves when a crash or an outage has left it open. */
const SETTLING = ['reverseIssue', 'reverseReceipt', 'release'] as const;

export const inventoryRpc = serveRpc<typeof InventoryServiceDefinition, Db>(
  InventoryServiceDefinition,
  {
    async batchGetProducts({ product_ids }, called) {
      const ids = understood(Ids, product_ids, 'product_ids');
      return { products: await look(called, 'batchGetProducts', (db) => productsOf(db, ids)) };
    },

    async batchGetTaxes({ tax_ids }, called) {
      const ids = understood(Ids, tax_ids, 'tax_ids');
      return { taxes: await look(called, 'batchGetTaxes', (db) => taxesOf(db, ids)) };
    },

    async batchGetWarehouses({ warehouse_ids }, called) {
      const ids = understood(Ids, warehouse_ids, 'warehouse_ids');
      return { warehouses: await look(called, 'batchGetWarehouses', (db) => warehousesOf(db, ids)) };
    },

    async batchGetCatalogue(request, called) {
      const [products, taxes, warehouses] = [
        understood(Ids, request.product_ids, 'product_ids'),
        understood(Ids, request.tax_ids, 'tax_ids'),
        understood(Ids, request.warehouse_ids, 'warehouse_ids'),
      ];
      return await look(called, 'batchGetCatalogue', async (db) => ({
        products: products.length > 0 ? await productsOf(db, products) : [],
        taxes: taxes.length > 0 ? await taxesOf(db, taxes) : [],
        warehouses: await warehousesOf(db, warehouses),
      }));
    },

    async checkAvailability(request, called) {
      const places = understood(Places, request.places, 'places');
      return { availabilities: await look(called, 'checkAvailability', (db) => availabilityOf(db, places)) };
    },

    async issueStock(request, called) {
      const { idempotency_key: key, source, business_date, lines, reserved_for } = understood(Issue, request);
      const asked = { lines, reason: REASONS[source.type], reserved_for };
      const { dry_run } = request;
      const work = (work: Work) => issue(work, { key, source, business_date }, asked);
      return { lines: await perform(called, 'issueStock', work, { source, dry_run }) };
    },

    async receiveStock(request, called) {
      const { idempotency_key: key, source, business_date, lines } = understood(Receipt, request);
      const asked = { lines, reason: REASONS[source.type] };
      const { dry_run } = request;
      const work = (work: Work) => receive(work, { key, source, business_date }, asked);
      return { lines: await perform(called, 'receiveStock', work, { source, dry_run }) };
    },

    async reverseIssue(request, called) {
      const { idempotency_key: key, business_date } = understood(Reversal, request);
      return { lines: await perform(called, 'reverseIssue', (work) => reverse(work, 'issue', { key, business_date })) };
    },

    async reverseReceipt(request, called) {
      const { idempotency_key: key, business_date } = understood(Reversal, request);
      return {
        lines: await perform(called, 'reverseReceipt', (work) => reverse(work, 'receipt', { key, business_date })),
      };
    },

    async reserve(request, called) {
      const { idempotency_key: key, source, lines, expires_at } = understood(Reservation, request);
      const asked = { lines, expires_at: expires_at || null };
      const work = (work: Work) => reserveOnce(work, { key, source }, asked);
      return { lines: await perform(called, 'reserve', work, { source }) };
    },

    async release(request, called) {
      const { idempotency_key: key, source } = understood(Release, request);
      return { lines: await perform(called, 'release', (work) => releaseFor(work, source, key)) };
    },

    async getStockValue(request, called) {
      const sources = understood(Sources, request.sources, 'sources');
      return await look(called, 'getStockValue', async (db) => ({
        value: await stockValue(db),
        sources: await valueOfSources(db, sources),
        accounts: await valueByAccount(db),
        recent: await recentBookings(db),
      }));
    },
  },
  SETTLING,
);
