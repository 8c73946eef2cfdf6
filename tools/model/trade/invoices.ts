/** Sales and purchase invoices: drafting and posting. */
import { type Answered, type Attempt, GONE, ILLEGAL, INVALID, type Json, LOCKED, type Plan } from '../state/attempt.ts';
import { type Choice, choose } from '../state/choice.ts';
import { ExactDecimal, money, NOTHING, plain, total } from '../state/exact-decimal.ts';
import {
  book,
  type Invoice,
  isLocked,
  type Line,
  type Model,
  numbered,
  open,
  pick,
  settled,
  type Trade,
} from '../state/model.ts';
import { lacking, move } from '../state/shelves.ts';
import { type Discount, type Totals, totalsOf, type Written } from '../state/totals.ts';

export interface NewLine {
  /** Index of the product. Undefined for free text. */
  product: number | undefined;
  qty: ExactDecimal;
  /** Defaults to the value of the product. */
  price: string | undefined;
  discount: Discount | null;
  /** Defaults to the value of the product. */
  taxes: number | undefined;
}

export interface NewInvoice {
  trade: Trade;
  party: number;
  warehouse: number;
  date: string;
  discount: Discount | null;
  lines: NewLine[];
}

export const pathOf = (trade: Trade, verb: string, id = '') => `/api/${trade}-invoice/${verb}${id && `/${id}`}`;
const partyOf = ({ trade }: Pick<Invoice, 'trade'>) => (trade === 'sales' ? 'customer_id' : 'vendor_id');

/** Returns the settlement status of a posted invoice. */
export function statusOf(invoice: Invoice): string {
  if (invoice.status !== 'posted' || settled(invoice).isZero()) return invoice.status;
  if (!open(invoice).isZero()) return 'partially_paid';
  return invoice.settlements.every(({ by }) => by.kind === 'note') ? 'credited' : 'paid';
}

const shownLine = ({ product, qty, figures, cost, returned }: Line): Json => ({
  product_id: product?.id ?? null,
  qty: plain(qty),
  returned_qty: plain(returned),
  net: money(figures.net),
  tax: money(figures.tax),
  total: money(figures.total),
  cost: cost && money(cost),
});

const shownTotals = (totals: Totals): Json =>
  Object.fromEntries(Object.entries(totals).map(([name, amount]: [string, ExactDecimal]) => [name, money(amount)]));

/** Returns an invoice as the API must return it. */
export function shownInvoice(invoice: Invoice): Json {
  const credits = invoice.settlements.filter(({ by }) => by.kind === 'note').map(({ amount }) => amount);
  const credited = total(credits);
  const isOfficial = invoice.status === 'posted';
  return {
    id: invoice.id,
    number: invoice.number,
    status: statusOf(invoice),
    invoice_date: invoice.date,
    [partyOf(invoice)]: invoice.party_id,
    ...shownTotals(invoice.totals),
    pending_effects: [],
    credited: money(credited),
    paid: money(settled(invoice).minus(credited)),
    balance_due: money(isOfficial ? open(invoice) : NOTHING),
    lines: invoice.lines.map(shownLine),
  };
}

/** Returns the lines for the model and for a request body. */
export function write(model: Model, trade: Trade, lines: readonly NewLine[]) {
  return lines.map((line, at) => {
    const product = line.product === undefined ? null : (pick(model.products, line.product) ?? null);
    const own = product && (trade === 'sales' ? product.sale_price : product.purchase_price);
    const price = line.price === undefined && own ? own : new ExactDecimal(line.price ?? '7.35');
    const taxes =
      line.taxes === undefined ? (product?.taxes ?? []) : model.taxes.filter((_, bit) => line.taxes! & (1 << bit));
    const written: Written = { qty: line.qty, unit_price: price, discount: line.discount, taxes };
    const said = {
      ...(product ? { product_id: product.id } : { description: `Line ${at + 1}` }),
      qty: plain(line.qty),
      discount: line.discount,
      ...(line.price === undefined && own ? {} : { unit_price: plain(price) }),
      ...(line.taxes === undefined ? {} : { tax_ids: taxes.map(({ id }) => id) }),
    };
    return { product, written, said };
  });
}

/** Stores lines in an invoice of the model, with their assigned IDs. */
export function fill(invoice: Invoice, written: ReturnType<typeof write>, { lines }: Answered): void {
  const { lines: figures, totals } = totalsOf(
    written.map((line) => line.written),
    invoice.discount,
  )!;
  invoice.totals = totals;
  invoice.lines = written.map(({ product, written: { qty } }, at) => {
    const { id } = lines[at];
    return { id, product, qty, figures: figures[at]!, cost: null, returned: NOTHING };
  });
}

/** Creates a draft invoice. */
export const draftInvoice =
  (input: NewInvoice): Plan =>
  (model) => {
    const { trade, date, discount } = input;
    const party_id = pick(trade === 'sales' ? model.customers : model.vendors, input.party)!;
    const warehouse_id = pick(model.warehouses, input.warehouse)!;
    const written = write(model, trade, input.lines);
    const invoice: Invoice = {
      trade,
      id: '',
      party_id,
      date,
      warehouse_id,
      discount,
      lines: [],
      status: 'draft',
      number: null,
      totals: undefined as never,
      settlements: [],
    };
    const body = {
      [partyOf(invoice)]: party_id,
      invoice_date: date,
      warehouse_id,
      discount,
      lines: written.map(({ said }) => said),
    };
    const call = { service: 'finance', method: 'POST', path: pathOf(trade, 'create'), body } as const;
    const fits = totalsOf(
      written.map((line) => line.written),
      discount,
    );
    if (!fits) return { ...call, ...INVALID };
    return {
      ...call,
      status: 201,
      happens(answered) {
        invoice.id = answered.id;
        fill(invoice, written, answered);
        model.invoices.push(invoice);
      },
      shows: () => shownInvoice(invoice),
    };
  };

export const goodsOf = ({ lines }: Invoice) =>
  lines.flatMap((line) => (line.product?.tracked ? [{ ...line, line }] : []));

/** Issues goods at average cost, or receives them at purchase cost. */
function moveGoods(model: Model, invoice: Invoice): void {
  const { trade, warehouse_id } = invoice;
  for (const { line, product, qty, figures } of goodsOf(invoice)) {
    line.cost =
      trade === 'sales'
        ? move(model, product!, warehouse_id, qty.negated()).negated()
        : move(model, product!, warehouse_id, qty, figures.net);
  }
}

/** Posts an invoice. Reverses it if `sign` is -1. */
export function bookInvoice(model: Model, invoice: Invoice, sign: 1 | -1): void {
  const [net_total, tax_total, owed, cost] = [
    invoice.totals.net_total,
    invoice.totals.tax_total,
    invoice.totals.total,
    total(goodsOf(invoice).map(({ line }) => line.cost!)),
  ].map((amount) => amount.times(sign)) as [ExactDecimal, ExactDecimal, ExactDecimal, ExactDecimal];
  if (invoice.trade === 'sales') {
    book(model, 'receivable', owed);
    book(model, 'sales', net_total.negated());
    book(model, 'tax_output', tax_total.negated());
    book(model, 'cost', cost);
    book(model, 'inventory', cost.negated());
  } else {
    book(model, 'inventory', cost);
    const texts = total(invoice.lines.filter(({ product }) => !product).map(({ figures }) => figures.net)).times(sign);
    book(model, 'cost', net_total.minus(cost).minus(texts));
    book(model, 'purchased_services', texts);
    book(model, 'tax_input', tax_total);
    book(model, 'payable', owed.negated());
  }
}

/** Posts an invoice once, even if the request is repeated. */
export const postInvoice =
  (which: Choice): Plan =>
  (model): Attempt | undefined => {
    const invoice = choose(model.invoices, which, ({ status }) => status === 'draft');
    if (!invoice) return undefined;
    const { trade, status, date } = invoice;
    const path = pathOf(trade, 'post', invoice.id);
    const call = { service: 'finance', method: 'POST', path, touches: [invoice] } as const;
    if (status === 'deleted') return { ...call, ...GONE, touches: [] };
    const done = { ...call, status: 200, shows: () => shownInvoice(invoice) };
    if (status === 'posted') return done;
    if (status === 'cancelled') return { ...call, ...ILLEGAL };
    if (isLocked(model, date, trade)) return { ...call, ...LOCKED };
    const goods = goodsOf(invoice).map(({ product, qty }) => ({ product: product!, qty }));
    const missing = trade === 'sales' ? lacking(model, invoice.warehouse_id, goods) : undefined;
    if (missing) return { ...call, ...missing };
    return {
      ...done,
      happens() {
        moveGoods(model, invoice);
        bookInvoice(model, invoice, 1);
        invoice.status = 'posted';
        invoice.number = numbered(model, trade === 'sales' ? 'INV' : 'BILL', date);
      },
    };
  };
