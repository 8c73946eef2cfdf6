/** Fake of inventory for other services: a catalogue by workspace, and stock that moves or is reserved under keys. */
import { randomUUID } from 'node:crypto';
import { Fault } from '@suite/chassis/faults';
import { portion, subtract, sum } from '@suite/money';
import {
  type AccountValue,
  InventoryServiceDefinition,
  type IssueStockRequest,
  type MovedLine,
  type Product,
  type ReceiveStockRequest,
  type ReleaseRequest,
  type ReservedLine,
  type ReserveRequest,
  type StockBooking,
  type StockPlace,
  type Tax,
  type Warehouse,
} from '@suite/proto/inventory/v1/inventory';
import { type FakeMethods, rowsOf, fakeServer, fakeErrors } from './fake-server.ts';

type WorkspaceOwned<T> = T & { workspace: string };

const refuse = (code: string, details?: object) => new Fault(409, code, 'Inventory refuses this.', { details });

interface Catalogue {
  products: Map<string, WorkspaceOwned<Product>>;
  taxes: Map<string, WorkspaceOwned<Tax>>;
  warehouses: Map<string, WorkspaceOwned<Warehouse>>;
}

/** Returns functions that add products, taxes and warehouses to the catalogue of one workspace. */
const catalogueOf = ({ products, taxes, warehouses }: Catalogue, workspace: string) => ({
  product(more: Partial<Product> = {}): string {
    const product_id = randomUUID();
    const nothing = { income_account_id: '', expense_account_id: '', stock_account_id: '', unit_id: '', unit_name: '' };
    const usual = { name: 'Engine', sku: `E-${product_id.slice(0, 4)}`, type: 'product', description: '' };
    const prices = { sale_price: '19.99', purchase_price: '5.00', taxes: [], track_stock: true, active: true };
    products.set(product_id, { product_id, ...nothing, ...usual, ...prices, ...more, workspace });
    return product_id;
  },
  tax(more: Partial<Tax> = {}): Tax {
    const tax_id = randomUUID();
    const usual = { name: 'VAT', rate: '20', kind: 'percent', inclusive: false, compound: false, active: true };
    const tax = { tax_id, ...usual, ...more };
    taxes.set(tax.tax_id, { ...tax, workspace });
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

interface FakeStockLevel {
  on_hand: number;
  value: string;
}

/** Creates the fake of stock reservations, by reservation key. Products without a stock level are unlimited. */
function reservationsOf(levels: ReadonlyMap<string, FakeStockLevel>, spent: Set<string>) {
  const reservations = new Map<string, { source: string; lines: ReservedLine[] }>();
  const free = (id: string) => {
    const held = [...reservations.values()].flatMap(({ lines }) => lines).filter(({ product_id }) => product_id === id);
    return (levels.get(id)?.on_hand ?? 0) - held.reduce((all, { qty }) => all + Number(qty), 0);
  };
  return {
    free,
    reservations,
    reserve({ idempotency_key: key, source, lines }: ReserveRequest) {
      if (spent.has(key)) throw refuse('key_reversed');
      const known = reservations.get(key);
      if (known) return { lines: known.lines };
      const short = lines.filter(({ product_id, qty }) => levels.has(product_id) && Number(qty) > free(product_id));
      const lacking = short.map(({ qty, ...line }) => ({
        ...line,
        requested: qty,
        available: String(free(line.product_id)),
      }));
      if (short.length > 0) throw refuse('insufficient_stock', { lines: lacking });
      reservations.set(key, { source: source!.id, lines });
      return { lines };
    },
    release({ idempotency_key, source }: ReleaseRequest) {
      const theirs = [...reservations].filter(([, held]) => held.source === source!.id);
      for (const key of [idempotency_key, ...theirs.map(([one]) => one)]) {
        reservations.delete(key);
        spent.add(key);
      }
      return { lines: theirs.flatMap(([, { lines }]) => lines) };
    },
    /** Removes reservations for the document whose goods are returned. */
    useUp(key: string): string {
      for (const [of, { source }] of reservations) if (key.startsWith(source)) reservations.delete(of);
      return key;
    },
    availability({ product_id, warehouse_id }: StockPlace) {
      const available = String(free(product_id));
      return { product_id, warehouse_id, on_hand: available, reserved: '0', available, average_cost: '1' };
    },
  };
}

/** Creates the stock by product in one warehouse, with the movements of each key and the invalidated keys. */
function fakeStock(accountOf: (product_id: string) => string) {
  const levels = new Map<string, FakeStockLevel>();
  const moved = new Map<string, MovedLine[]>();
  const spent = new Set<string>();
  const levelOf = (product_id: string) => levels.get(product_id) ?? { on_hand: 0, value: '0.00' };
  const shift = (product_id: string, qty: number, cost: string) => {
    const { on_hand, value } = levelOf(product_id);
    levels.set(product_id, { on_hand: on_hand + qty, value: sum([value, cost], 'EUR') });
  };
  const out = (cost: string) => subtract('0', cost, 'EUR');
  const once = (key: string, dry_run: boolean, work: () => MovedLine[]): { lines: MovedLine[] } => {
    if (spent.has(key)) throw refuse('key_reversed');
    const known = moved.get(key);
    if (known) return { lines: known };
    const before = new Map(levels);
    const lines = work();
    if (dry_run) for (const [id, level] of before) levels.set(id, level);
    else moved.set(key, lines);
    return { lines };
  };
  return {
    levels,
    ...reservationsOf(levels, spent),
    /** Sets the initial stock of a product. */
    put: (product_id: string, on_hand: number, value = '0.00') => levels.set(product_id, { on_hand, value }),
    undo(key: string, sign: 1 | -1) {
      const lines = spent.has(key) ? [] : (moved.get(key) ?? []);
      const isGone = lines.some(({ product_id, qty }) => levelOf(product_id).on_hand + sign * Number(qty) < 0);
      if (isGone) throw refuse('insufficient_stock');
      spent.add(key);
      for (const { product_id, qty, cost } of lines)
        shift(product_id, sign * Number(qty), sign === 1 ? cost : out(cost));
      return { lines };
    },
    issue: ({ idempotency_key, dry_run, lines }: IssueStockRequest) =>
      once(idempotency_key, dry_run, () => {
        const short = lines.filter((line) => Number(line.qty) > levelOf(line.product_id).on_hand);
        const lacking = short.map(({ line_id, product_id }) => ({
          line_id,
          product_id,
          available: String(levelOf(product_id).on_hand),
        }));
        if (short.length > 0) throw refuse('insufficient_stock', { lines: lacking });
        return lines.map((line) => {
          const { on_hand, value } = levelOf(line.product_id);
          const cost = portion(value, { whole: String(on_hand), before: '0', now: line.qty }, 'EUR');
          shift(line.product_id, -Number(line.qty), out(cost));
          return { ...line, cost, unit_cost: '', stock_account_id: accountOf(line.product_id) };
        });
      }),
    receive: ({ idempotency_key, dry_run, lines }: ReceiveStockRequest) =>
      once(idempotency_key, dry_run, () =>
        lines.map((line) => {
          shift(line.product_id, Number(line.qty), line.cost);
          return { ...line, unit_cost: '', stock_account_id: accountOf(line.product_id) };
        }),
      ),
  };
}

/** Returns the fake catalogue methods of inventory. */
function catalogueMethods({ products, taxes, warehouses }: Catalogue): FakeMethods<typeof InventoryServiceDefinition> {
  /** Returns the warehouses with these IDs, or all active ones without IDs. */
  const places = (workspace: string | undefined, ids: readonly string[]) =>
    ids.length > 0 ? rowsOf(warehouses, workspace, ids) : rowsOf(warehouses, workspace).filter(({ active }) => active);
  return {
    listOrderReservations: async () => ({ reservations: [] }),
    batchGetTaxes: async ({ tax_ids }, { caller }) => ({ taxes: rowsOf(taxes, caller?.workspace_id, tax_ids) }),
    batchGetProducts: async ({ product_ids }, { caller }) => ({
      products: rowsOf(products, caller?.workspace_id, product_ids),
    }),
    batchGetWarehouses: async ({ warehouse_ids }, { caller }) => ({
      warehouses: places(caller?.workspace_id, warehouse_ids),
    }),
    batchGetCatalogue: async ({ product_ids, tax_ids, warehouse_ids }, { caller }) => ({
      products: rowsOf(products, caller?.workspace_id, product_ids),
      taxes: rowsOf(taxes, caller?.workspace_id, tax_ids),
      warehouses: places(caller?.workspace_id, warehouse_ids),
    }),
  };
}

/** Creates the fake of inventory, with its settings for tests and its server. */
export function fakeInventory() {
  const catalogue: Catalogue = { products: new Map(), taxes: new Map(), warehouses: new Map() };
  const { products } = catalogue;
  /** Returns the value of all stock. */
  const stock = {
    value: '0.00',
    accounts: [] as AccountValue[],
    recent: [] as StockBooking[],
    /** The change in stock value by document ID. */
    sources: new Map<string, string>(),
  };
  /** Functions that run after goods are issued, before the caller gets the response. */
  const during: (() => Promise<void>)[] = [];
  /** The requests to issue goods. */
  const issues: IssueStockRequest[] = [];
  /** Reserve and release calls, by their keys. */
  const calls: string[] = [];
  const shelf = fakeStock((id) => products.get(id)?.stock_account_id ?? '');
  const { injectedFaults, withInjectedFault } = fakeErrors('inventory');
  const noted = <T>(call: string, work: () => T) => {
    calls.push(call);
    return withInjectedFault(work);
  };
  const served = fakeServer(
    InventoryServiceDefinition,
    {
      ...catalogueMethods(catalogue),
      getStockValue: async ({ sources }) => ({
        value: stock.value,
        sources: sources.map((source) => ({ source, value: stock.sources.get(source.id) ?? '0' })),
        recent: stock.recent,
        accounts: stock.accounts.length > 0 ? stock.accounts : [{ stock_account_id: '', value: stock.value }],
      }),
      checkAvailability: async ({ places }) => ({ availabilities: places.map(shelf.availability) }),
      listStockedProducts: async ({ warehouse_id, q }, { caller }) => ({
        products: rowsOf(products, caller?.workspace_id)
          .filter(({ product_id, active, name }) => active && shelf.levels.has(product_id) && name.includes(q))
          .map((product) => ({
            product,
            availability: shelf.availability({ product_id: product.product_id, warehouse_id }),
          })),
      }),
      issueStock: async (asked) => {
        issues.push(asked);
        const answer = await withInjectedFault(() => shelf.issue(asked));
        await during.shift()?.();
        return answer;
      },
      receiveStock: (asked) => withInjectedFault(() => shelf.receive(asked)),
      reverseIssue: ({ idempotency_key }) => withInjectedFault(() => shelf.undo(idempotency_key, 1)),
      reverseReceipt: ({ idempotency_key }) => withInjectedFault(() => shelf.undo(shelf.useUp(idempotency_key), -1)),
      reserve: (asked) => noted(`reserve ${asked.idempotency_key}`, () => shelf.reserve(asked)),
      release: (asked) => noted(`release ${asked.idempotency_key}`, () => shelf.release(asked)),
    },
    ['reverseIssue', 'reverseReceipt', 'release'],
  );
  const within = (workspace: string) => catalogueOf(catalogue, workspace);
  return { ...catalogue, stock, shelf, trouble: injectedFaults, during, issues, calls, served, in: within };
}
