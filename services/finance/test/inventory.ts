/** Inventory, as far as finance asks it: a catalogue, and stock that moves at its average cost, under keys. */
import { randomUUID } from 'node:crypto';
import { Fault, serveRpc } from '@suite/chassis';
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

const refuse = (code: string, details?: object) => new Fault(409, code, 'Inventory refuses this.', { details });

interface Level {
  on_hand: number;
  value: string;
}

/** What is set aside, by the key under which it was. */
function setAside(levelOf: (product_id: string) => Level, spent: Set<string>) {
  const held = new Map<string, { source: string; lines: ReservedLine[] }>();
  const heldOf = (id: string) =>
    [...held.values()].flatMap(({ lines }) => lines).filter(({ product_id }) => product_id === id);
  const free = (id: string) => levelOf(id).on_hand - heldOf(id).reduce((all, { qty }) => all + Number(qty), 0);
  return {
    free,
    reserve: ({ idempotency_key, source, lines }: ReserveRequest) => {
      if (spent.has(idempotency_key)) throw refuse('key_reversed');
      const lacking = lines.filter(
        ({ product_id, qty }) => !held.has(idempotency_key) && Number(qty) > free(product_id),
      );
      const named = lacking.map(({ qty, ...line }) => ({
        ...line,
        requested: qty,
        available: String(free(line.product_id)),
      }));
      if (named.length > 0) throw refuse('insufficient_stock', { lines: named });
      held.set(idempotency_key, { source: source!.id, lines });
      return { lines };
    },
    release: ({ idempotency_key, source }: ReleaseRequest) => {
      spent.add(idempotency_key);
      for (const [key, one] of held) if (one.source === source!.id) held.delete(key);
      return { lines: [] };
    },
    useUp: (key: string): string => {
      for (const [of, { source }] of held) if (key.startsWith(source)) held.delete(of);
      return key;
    },
    availability: (place: StockPlace) => {
      const available = String(free(place.product_id));
      return { ...place, on_hand: available, reserved: '0', available, average_cost: '0' };
    },
  };
}

/** Stock by product, in one warehouse; what moved under each key, and the keys that are spent. */
function store(accountOf: (product_id: string) => string) {
  const levels = new Map<string, Level>();
  const done = new Map<string, MovedLine[]>();
  const spent = new Set<string>();
  const levelOf = (product_id: string) => levels.get(product_id) ?? { on_hand: 0, value: '0.00' };
  const shift = (product_id: string, qty: number, cost: string) => {
    const { on_hand, value } = levelOf(product_id);
    levels.set(product_id, { on_hand: on_hand + qty, value: sum([value, cost], 'EUR') });
  };
  const out = (cost: string) => subtract('0', cost, 'EUR');
  const once = (key: string, dry_run: boolean, work: () => MovedLine[]): { lines: MovedLine[] } => {
    if (spent.has(key)) throw refuse('key_reversed');
    const known = done.get(key);
    if (known) return { lines: known };
    const before = new Map(levels);
    const lines = work();
    if (dry_run) for (const [id, level] of before) levels.set(id, level);
    else done.set(key, lines);
    return { lines };
  };
  const undo = (key: string, sign: 1 | -1) => {
    const lines = spent.has(key) ? [] : (done.get(key) ?? []);
    const isGone = lines.some(({ product_id, qty }) => levelOf(product_id).on_hand + sign * Number(qty) < 0);
    if (isGone) throw refuse('insufficient_stock');
    spent.add(key);
    for (const { product_id, qty, cost } of lines) shift(product_id, sign * Number(qty), sign === 1 ? cost : out(cost));
    return { lines };
  };
  return {
    levels,
    ...setAside(levelOf, spent),
    /** What is there, to begin with. */
    put: (product_id: string, on_hand: number, value: string) => levels.set(product_id, { on_hand, value }),
    undo,
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

type Methods = Parameters<typeof serveRpc<typeof InventoryServiceDefinition>>[1];

interface Kept {
  taxes: ReadonlyMap<string, Tax>;
  products: ReadonlyMap<string, Product>;
  warehouses: ReadonlyMap<string, Warehouse>;
  stock: { value: string; accounts: AccountValue[]; recent: StockBooking[] };
}

/** What inventory answers of its records. */
function lookUps({ taxes, products, warehouses, stock }: Kept) {
  const found = <T>(all: ReadonlyMap<string, T>, ids: readonly string[]) =>
    ids.map((id) => all.get(id)).filter((one) => one !== undefined);
  const places = (ids: readonly string[]) => (ids.length > 0 ? found(warehouses, ids) : [...warehouses.values()]);
  const answers: Pick<
    Methods,
    'batchGetTaxes' | 'getStockValue' | 'batchGetProducts' | 'batchGetWarehouses' | 'batchGetCatalogue'
  > = {
    batchGetTaxes: ({ tax_ids }) => Promise.resolve({ taxes: found(taxes, tax_ids) }),
    getStockValue: ({ sources }) =>
      Promise.resolve({
        value: stock.value,
        sources: sources.map((source) => ({ source, value: '0' })),
        recent: stock.recent,
        accounts: stock.accounts.length > 0 ? stock.accounts : [{ stock_account_id: '', value: stock.value }],
      }),
    batchGetProducts: ({ product_ids }) => Promise.resolve({ products: found(products, product_ids) }),
    batchGetWarehouses: ({ warehouse_ids }) => Promise.resolve({ warehouses: places(warehouse_ids) }),
    batchGetCatalogue: ({ product_ids, tax_ids, warehouse_ids }) =>
      Promise.resolve({
        products: found(products, product_ids),
        taxes: found(taxes, tax_ids),
        warehouses: places(warehouse_ids),
      }),
  };
  return answers;
}

/** What a test may say of inventory, and what answers for it. */
export function standInInventory() {
  const taxes = new Map<string, Tax>();
  const products = new Map<string, Product>();
  const warehouses = new Map<string, Warehouse>();
  /** The value of all stock. */
  const stock = { value: '0.00', accounts: [] as AccountValue[], recent: [] as StockBooking[] };
  /** What the next moves come to, instead of an answer: `lost` does its work and then says nothing. */
  const trouble: ('down' | 'lost')[] = [];
  /** What happens elsewhere once goods are issued, before the one who asked hears of it. */
  const during: (() => Promise<void>)[] = [];
  /** What it was asked to take out. */
  const issues: IssueStockRequest[] = [];
  const shelf = store((id) => products.get(id)?.stock_account_id ?? '');
  const troubled = <T>(work: () => T): Promise<T> => {
    const wrong = trouble.shift();
    if (wrong === 'down') return Promise.reject(new Error('Inventory is down.'));
    try {
      const answer = work();
      return wrong ? Promise.reject(new Error('The answer is lost.')) : Promise.resolve(answer);
    } catch (error) {
      return Promise.reject(error);
    }
  };
  const main: Warehouse = {
    warehouse_id: randomUUID(),
    name: 'Main',
    code: 'M',
    is_default: true,
    active: true,
    updated_at: '2026-01-01T00:00:00.000Z',
  };
  warehouses.set(main.warehouse_id, main);
  const served = serveRpc(
    InventoryServiceDefinition,
    {
      ...lookUps({ taxes, products, warehouses, stock }),
      checkAvailability: ({ places: asked }) => Promise.resolve({ availabilities: asked.map(shelf.availability) }),
      listStockedProducts: () => Promise.reject(new Error('finance does not ask for this.')),
      issueStock: async (asked) => {
        issues.push(asked);
        const answer = await troubled(() => shelf.issue(asked));
        await during.shift()?.();
        return answer;
      },
      receiveStock: (asked) => troubled(() => shelf.receive(asked)),
      reverseIssue: ({ idempotency_key }) => troubled(() => shelf.undo(idempotency_key, 1)),
      reverseReceipt: ({ idempotency_key }) => troubled(() => shelf.undo(shelf.useUp(idempotency_key), -1)),
      reserve: (asked) => troubled(() => shelf.reserve(asked)),
      release: (asked) => troubled(() => shelf.release(asked)),
    },
    ['reverseIssue', 'reverseReceipt', 'release'],
  );
  return { taxes, products, warehouses, stock, shelf, trouble, during, issues, served };
}
