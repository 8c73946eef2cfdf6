/** Inventory, as far as crm asks it: products, taxes and warehouses by workspace, and stock that can be set aside. */
import { randomUUID } from 'node:crypto';
import { Fault, serveRpc } from '@suite/chassis';
import {
  InventoryServiceDefinition,
  type Product,
  type ReleaseRequest,
  type ReleaseResponse,
  type ReserveRequest,
  type ReserveResponse,
  type StockPlace,
  type Tax,
  type Warehouse,
} from '@suite/proto/inventory/v1/inventory';
import { Decimal } from 'decimal.js';

type Owned<T> = T & { workspace: string };

const unasked = () => Promise.reject(new Error('crm does not ask for this.'));
const refuse = (status: number, code: string, message: string, details?: object) =>
  new Fault(status, code, message, details ? { details } : {});

interface Catalogue {
  products: Map<string, Owned<Product>>;
  taxes: Map<string, Owned<Tax>>;
  warehouses: Map<string, Owned<Warehouse>>;
}

/** Puts things into the catalogue of one workspace. */
const shelfOf = ({ products, taxes, warehouses }: Catalogue, workspace: string) => ({
  product(more: Partial<Product> = {}): string {
    const product_id = randomUUID();
    const nothing = { income_account_id: '', expense_account_id: '', stock_account_id: '', unit_id: '', unit_name: '' };
    const usual = { ...nothing, name: 'Engine', sku: `E-${product_id.slice(0, 4)}`, type: 'product', description: '' };
    const prices = { sale_price: '19.99', purchase_price: '5', taxes: [], track_stock: true, active: true };
    products.set(product_id, { product_id, ...usual, ...prices, ...more, workspace });
    return product_id;
  },
  tax(more: Partial<Tax> = {}): Tax {
    const tax_id = randomUUID();
    const usual = { name: 'VAT', rate: '20', kind: 'percent', inclusive: false, compound: false, active: true };
    const tax = { tax_id, ...usual, ...more };
    taxes.set(tax_id, { ...tax, workspace });
    return tax;
  },
  warehouse(more: Partial<Warehouse> = {}): string {
    const warehouse_id = randomUUID();
    const usual = { name: 'Main', code: 'M', is_default: true, active: true };
    const updated_at = '2026-01-01T00:00:00.000Z';
    warehouses.set(warehouse_id, { warehouse_id, updated_at, ...usual, ...more, workspace });
    return warehouse_id;
  },
});

const mine = <T>(rows: Map<string, Owned<T>>, workspace: string | undefined, ids?: readonly string[]): T[] =>
  [...rows].filter(([id, row]) => row.workspace === workspace && (ids?.includes(id) ?? true)).map(([, row]) => row);

/** The warehouses that are named; of none, all active ones. */
const placesOf = (rows: Catalogue['warehouses'], workspace: string | undefined, ids: readonly string[]): Warehouse[] =>
  ids.length > 0 ? mine(rows, workspace, ids) : mine(rows, workspace).filter(({ active }) => active);

/** Stock that can be set aside, under keys. */
function store() {
  /** How many of a product can be promised; what is not here is without end. */
  const available = new Map<string, string>();
  const reservations = new Map<string, { source: string; answer: ReserveResponse }>();
  const spent = new Set<string>();
  const shift = (lines: readonly { product_id: string; qty: string }[], sign: 1 | -1) => {
    for (const { product_id, qty } of lines) {
      const left = available.get(product_id);
      if (left !== undefined) available.set(product_id, new Decimal(qty).times(sign).plus(left).toFixed());
    }
  };
  return {
    available,
    reservations,
    reserve({ idempotency_key: key, source, lines }: ReserveRequest): ReserveResponse {
      if (spent.has(key)) throw refuse(409, 'key_reversed', 'This key is spent.');
      const known = reservations.get(key);
      if (known) return known.answer;
      const short = lines.filter((line) => new Decimal(line.qty).gt(available.get(line.product_id) ?? '1e9'));
      const details = short.map(({ line_id, product_id }) => ({ line_id, available: available.get(product_id) }));
      if (short.length > 0)
        throw refuse(409, 'insufficient_stock', 'There is not enough in stock.', { lines: details });
      shift(lines, -1);
      reservations.set(key, { source: source?.id ?? '', answer: { lines } });
      return { lines };
    },
    release({ idempotency_key, source }: ReleaseRequest): ReleaseResponse {
      spent.add(idempotency_key);
      const theirs = [...reservations].filter(([, held]) => held.source === source?.id);
      for (const [key, { answer }] of theirs) {
        reservations.delete(key);
        spent.add(key);
        shift(answer.lines, 1);
      }
      return { lines: theirs.flatMap(([, { answer }]) => answer.lines) };
    },
  };
}

export function inventoryStandIn() {
  const catalogue: Catalogue = { products: new Map(), taxes: new Map(), warehouses: new Map() };
  const { products, taxes, warehouses } = catalogue;
  const { available, reservations, reserve, release } = store();
  const calls: string[] = [];
  /** What the next calls come to, instead of an answer: `lost` does its work and then says nothing. */
  const trouble: ('down' | 'lost')[] = [];
  async function troubled<T>(call: string, work: () => T): Promise<T> {
    calls.push(call);
    const wrong = trouble.shift();
    if (wrong === 'down') throw refuse(503, 'inventory_unavailable', 'Inventory is down.');
    const answer = work();
    if (wrong === 'lost') throw refuse(503, 'inventory_unavailable', 'The answer is lost.');
    return answer;
  }
  const placeOf = ({ product_id, warehouse_id }: StockPlace) => {
    const left = available.get(product_id) ?? '0';
    return { product_id, warehouse_id, on_hand: left, reserved: '0', available: left, average_cost: '1' };
  };
  const served = serveRpc(
    InventoryServiceDefinition,
    {
      batchGetProducts: async ({ product_ids }, { caller }) => ({
        products: mine(products, caller?.workspace_id, product_ids),
      }),
      batchGetWarehouses: async ({ warehouse_ids }, { caller }) => ({
        warehouses: placesOf(warehouses, caller?.workspace_id, warehouse_ids),
      }),
      batchGetCatalogue: async ({ product_ids, tax_ids, warehouse_ids }, { caller }) => ({
        products: mine(products, caller?.workspace_id, product_ids),
        taxes: mine(taxes, caller?.workspace_id, tax_ids),
        warehouses: placesOf(warehouses, caller?.workspace_id, warehouse_ids),
      }),
      checkAvailability: async ({ places }) => ({
        availabilities: places.map(placeOf),
      }),
      listStockedProducts: async ({ warehouse_id, q }, { caller }) => ({
        products: mine(products, caller?.workspace_id)
          .filter(({ product_id, active, name }) => active && available.has(product_id) && name.includes(q))
          .map((product) => ({ product, availability: placeOf({ product_id: product.product_id, warehouse_id }) })),
      }),
      reserve: (request) => troubled(`reserve ${request.idempotency_key}`, () => reserve(request)),
      release: (request) => troubled(`release ${request.idempotency_key}`, () => release(request)),
      issueStock: unasked,
      receiveStock: unasked,
      reverseIssue: unasked,
      reverseReceipt: unasked,
      getStockValue: unasked,
      batchGetTaxes: unasked,
    },
    ['release'],
  );
  const shelf = (workspace: string) => shelfOf(catalogue, workspace);
  return { served, calls, trouble, reservations, available, products, in: shelf };
}
