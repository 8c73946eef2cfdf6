/** Stock changes without an invoice: products are created, stock is corrected, goods are transferred. */
import { ILLEGAL, INVALID, LOCKED, type Plan } from '../state/attempt.ts';
import { cents, ExactDecimal, money, toPlainText, unitCost } from '../state/exact-decimal.ts';
import { isStockLocked, type Model, nextNumber, pick, type Product, type Transfer } from '../state/model.ts';
import { correct, missingStock, levelOf, move, onHand } from '../state/shelves.ts';

const MOST_PRODUCTS = 5;
/** Default day of stock movements. */
const DAY = '2026-03-02';

export interface NewProduct {
  price: string;
  cost: string;
  service: boolean;
  taxes: number;
}

/** Creates a product, up to a small number of products, so that documents share products. */
export const makeProduct =
  ({ price, cost, service, taxes }: NewProduct): Plan =>
  (model) => {
    if (model.products.length >= MOST_PRODUCTS) return undefined;
    const levied = model.taxes.filter((_, at) => taxes & (1 << at));
    const sku = `SKU-${model.products.length + 1}`;
    const body = {
      name: sku,
      sku,
      type: service ? 'service' : 'product',
      sale_price: price,
      purchase_price: cost,
      tax_ids: levied.map(({ id }) => id),
    };
    return {
      service: 'inventory',
      method: 'POST',
      path: '/api/product/create',
      body,
      status: 201,
      happens({ id }) {
        const prices = { sale_price: new ExactDecimal(price), purchase_price: new ExactDecimal(cost) };
        model.products.push({ id, sku, tracked: !service, ...prices, taxes: levied });
      },
      shows: () => ({ sku, total_on_hand: '0', stock_value: '0.00', track_stock: !service }),
    };
  };

export interface Correction {
  product: number;
  warehouse: number;
  qty: ExactDecimal;
  takes: boolean;
  unit_cost: string | null;
  opening: boolean;
}

const costOf = ({ takes, unit_cost }: Correction) => (takes ? null : unit_cost);

/** Corrects the stock after a count. */
export const correctStock =
  (input: Correction): Plan =>
  (model) => {
    const product = pick(model.products, input.product);
    const warehouse_id = pick(model.warehouses, input.warehouse)!;
    if (!product) return undefined;
    const { takes } = input;
    const qty = takes ? input.qty.negated() : input.qty;
    const cost = costOf(input);
    const reason = input.opening && !takes ? 'opening' : 'adjustment';
    const body = {
      product_id: product.id,
      warehouse_id,
      qty: toPlainText(qty),
      reason,
      business_date: DAY,
      ...(cost && { unit_cost: cost }),
    };
    const call = { service: 'inventory', method: 'POST', path: '/api/product-stock/add', body } as const;
    if (isStockLocked(model, DAY)) return { ...call, ...LOCKED };
    if (!product.tracked) return { ...call, ...INVALID };
    const missing = takes ? missingStock(model, warehouse_id, [{ product, qty: input.qty }]) : undefined;
    if (missing) return { ...call, ...missing };
    let value = new ExactDecimal(0);
    return {
      ...call,
      status: 201,
      happens() {
        value = move(model, product, warehouse_id, qty, cost ? cents(input.qty.times(cost)) : undefined);
        correct(model, value, reason === 'opening' ? 'opening' : 'adjustment');
      },
      shows() {
        const { on_hand, value: left } = levelOf(model, product.id, warehouse_id);
        const stock = {
          on_hand: toPlainText(on_hand),
          value: money(left),
          reserved: '0',
          available: toPlainText(on_hand),
        };
        return { qty: toPlainText(qty), value: money(value), unit_cost: unitCost(value.div(qty)), stock };
      },
    };
  };

export interface NewTransfer {
  from: number;
  /** True if the transfer is to the other warehouse, not to the current one. */
  away: boolean;
  lines: { product: number; qty: ExactDecimal }[];
}

const transferResponse = ({ number, status, lines }: Transfer) => ({
  number,
  status,
  lines: lines.map(({ qty, value }) => ({ qty: toPlainText(qty), value: money(value) })),
});

/** Moves goods: all lines are issued at average cost before any is received at that cost. */
function moveStock(model: Model, from: string, to: string, lines: readonly { product: Product; qty: ExactDecimal }[]) {
  const gone = lines.map((line) => ({ ...line, value: move(model, line.product, from, line.qty.negated()).negated() }));
  for (const { product, qty, value } of gone) move(model, product, to, qty, value);
  return gone;
}

/** Transfers goods from one warehouse to another. */
export const transfer =
  (input: NewTransfer): Plan =>
  (model) => {
    if (model.products.length === 0) return undefined;
    const from = pick(model.warehouses, input.from)!;
    const to = pick(model.warehouses, input.from + (input.away ? 1 : 0))!;
    const lines = input.lines.map(({ product, qty }) => ({ product: pick(model.products, product)!, qty }));
    const body = {
      from_warehouse_id: from,
      to_warehouse_id: to,
      date: DAY,
      lines: lines.map(({ product, qty }) => ({ product_id: product.id, qty: toPlainText(qty) })),
    };
    const call = { service: 'inventory', method: 'POST', path: '/api/transfer/create', body } as const;
    if (isStockLocked(model, DAY)) return { ...call, ...LOCKED };
    if (from === to || lines.some(({ product }) => !product.tracked)) return { ...call, ...INVALID };
    const missing = missingStock(model, from, lines);
    if (missing) return { ...call, ...missing };
    let made: Transfer;
    return {
      ...call,
      status: 201,
      happens({ id }) {
        const number = nextNumber(model, 'STF', DAY);
        made = { id, from, to, lines: moveStock(model, from, to, lines), status: 'completed', number };
        model.transfers.push(made);
      },
      shows: () => transferResponse(made),
    };
  };

/** Reverses a transfer: the goods return at exactly their transferred value, if they are in stock. */
export const undoTransfer =
  (any: number): Plan =>
  (model) => {
    const found = pick(model.transfers, any);
    if (!found) return undefined;
    const { id, from, to, lines } = found;
    const call = { service: 'inventory', method: 'DELETE', path: `/api/transfer/delete/${id}` } as const;
    const missing = found.status === 'completed' ? missingStock(model, to, lines) : undefined;
    if (missing) return { ...call, ...missing };
    return {
      ...call,
      status: 200,
      happens() {
        if (found.status === 'reversed') return;
        for (const { product, qty, value } of lines) {
          move(model, product, to, qty.negated(), value.negated());
          move(model, product, from, qty, value);
        }
        found.status = 'reversed';
      },
      shows: () => transferResponse(found),
    };
  };

/** Tries to archive a product with stock, which must be rejected. */
export const archiveProduct =
  (any: number): Plan =>
  (model) => {
    const product = pick(model.products, any);
    const has = product && model.warehouses.some((id) => !onHand(model, product.id, id).isZero());
    if (!product || !has) return undefined;
    const path = `/api/product/update/${product.id}`;
    return {
      service: 'inventory',
      method: 'POST',
      path,
      body: { active: false },
      ...ILLEGAL,
      code: 'product_has_stock',
    };
  };
