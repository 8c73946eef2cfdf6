/** Sales and purchase invoices: drafting and posting. */
import {
  type ActualResponse,
  type Attempt,
  NOT_FOUND,
  ILLEGAL,
  INVALID,
  type Json,
  LOCKED,
  type Plan,
} from '../state/attempt.ts';
import { type Choice, choose } from '../state/choice.ts';
import { ExactDecimal, money, NOTHING, toPlainText, total } from '../state/exact-decimal.ts';
import {
  postEntry,
  type Invoice,
  isLocked,
  type Line,
  type Model,
  nextNumber,
  openAmount,
  pick,
  settledAmount,
  type Side,
} from '../state/model.ts';
import { missingStock, move } from '../state/shelves.ts';
import { type Discount, type Totals, totalsOf, type EnteredLine } from '../state/totals.ts';

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
  side: Side;
  party: number;
  warehouse: number;
  date: string;
  discount: Discount | null;
  lines: NewLine[];
}

export const pathOf = (side: Side, verb: string, id = '') => `/api/${side}-invoice/${verb}${id && `/${id}`}`;
const partyOf = ({ side }: Pick<Invoice, 'side'>) => (side === 'sales' ? 'customer_id' : 'vendor_id');

/** Returns the settlement status of a posted invoice. */
export function statusOf(invoice: Invoice): string {
  if (invoice.status !== 'posted' || settledAmount(invoice).isZero()) return invoice.status;
  if (!openAmount(invoice).isZero()) return 'partially_paid';
  return invoice.settlements.every(({ by }) => by.kind === 'note') ? 'credited' : 'paid';
}

const lineResponse = ({ product, qty, figures, cost, returned }: Line): Json => ({
  product_id: product?.id ?? null,
  qty: toPlainText(qty),
  returned_qty: toPlainText(returned),
  net: money(figures.net),
  tax: money(figures.tax),
  total: money(figures.total),
  cost: cost && money(cost),
});

const totalsResponse = (totals: Totals): Json =>
  Object.fromEntries(Object.entries(totals).map(([name, amount]: [string, ExactDecimal]) => [name, money(amount)]));

/** Returns an invoice as the API must return it. */
export function invoiceResponse(invoice: Invoice): Json {
  const credits = invoice.settlements.filter(({ by }) => by.kind === 'note').map(({ amount }) => amount);
  const credited = total(credits);
  const isOfficial = invoice.status === 'posted';
  return {
    id: invoice.id,
    number: invoice.number,
    status: statusOf(invoice),
    invoice_date: invoice.date,
    [partyOf(invoice)]: invoice.party_id,
    ...totalsResponse(invoice.totals),
    pending_effects: [],
    credited: money(credited),
    paid: money(settledAmount(invoice).minus(credited)),
    balance_due: money(isOfficial ? openAmount(invoice) : NOTHING),
    lines: invoice.lines.map(lineResponse),
  };
}

/** Returns the lines for the model and for a request body. */
export function writeLines(model: Model, side: Side, lines: readonly NewLine[]) {
  return lines.map((line, at) => {
    const product = line.product === undefined ? null : (pick(model.products, line.product) ?? null);
    const own = product && (side === 'sales' ? product.sale_price : product.purchase_price);
    const price = line.price === undefined && own ? own : new ExactDecimal(line.price ?? '7.35');
    const taxes =
      line.taxes === undefined ? (product?.taxes ?? []) : model.taxes.filter((_, bit) => line.taxes! & (1 << bit));
    const written: EnteredLine = { qty: line.qty, unit_price: price, discount: line.discount, taxes };
    const said = {
      ...(product ? { product_id: product.id } : { description: `Line ${at + 1}` }),
      qty: toPlainText(line.qty),
      discount: line.discount,
      ...(line.price === undefined && own ? {} : { unit_price: toPlainText(price) }),
      ...(line.taxes === undefined ? {} : { tax_ids: taxes.map(({ id }) => id) }),
    };
    return { product, written, said };
  });
}

/** Stores lines in an invoice of the model, with their assigned IDs. */
export function fill(invoice: Invoice, written: ReturnType<typeof writeLines>, { lines }: ActualResponse): void {
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
    const { side, date, discount } = input;
    const party_id = pick(side === 'sales' ? model.customers : model.vendors, input.party)!;
    const warehouse_id = pick(model.warehouses, input.warehouse)!;
    const written = writeLines(model, side, input.lines);
    const invoice: Invoice = {
      side,
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
    const call = { service: 'finance', method: 'POST', path: pathOf(side, 'create'), body } as const;
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
      shows: () => invoiceResponse(invoice),
    };
  };

export const goodsOf = ({ lines }: Invoice) =>
  lines.flatMap((line) => (line.product?.tracked ? [{ ...line, line }] : []));

/** Issues goods at average cost, or receives them at purchase cost. */
function moveGoods(model: Model, invoice: Invoice): void {
  const { side, warehouse_id } = invoice;
  for (const { line, product, qty, figures } of goodsOf(invoice)) {
    line.cost =
      side === 'sales'
        ? move(model, product!, warehouse_id, qty.negated()).negated()
        : move(model, product!, warehouse_id, qty, figures.net);
  }
}

/** Posts an invoice. Reverses it if `sign` is -1. */
export function postInvoiceJournal(model: Model, invoice: Invoice, sign: 1 | -1): void {
  const [net_total, tax_total, owed, cost] = [
    invoice.totals.net_total,
    invoice.totals.tax_total,
    invoice.totals.total,
    total(goodsOf(invoice).map(({ line }) => line.cost!)),
  ].map((amount) => amount.times(sign)) as [ExactDecimal, ExactDecimal, ExactDecimal, ExactDecimal];
  if (invoice.side === 'sales') {
    postEntry(model, 'receivable', owed);
    postEntry(model, 'sales', net_total.negated());
    postEntry(model, 'tax_output', tax_total.negated());
    postEntry(model, 'cost', cost);
    postEntry(model, 'inventory', cost.negated());
  } else {
    postEntry(model, 'inventory', cost);
    const texts = total(invoice.lines.filter(({ product }) => !product).map(({ figures }) => figures.net)).times(sign);
    postEntry(model, 'cost', net_total.minus(cost).minus(texts));
    postEntry(model, 'purchased_services', texts);
    postEntry(model, 'tax_input', tax_total);
    postEntry(model, 'payable', owed.negated());
  }
}

/** Posts an invoice once, even if the request is repeated. */
export const postInvoice =
  (which: Choice): Plan =>
  (model): Attempt | undefined => {
    const invoice = choose(model.invoices, which, ({ status }) => status === 'draft');
    if (!invoice) return undefined;
    const { side, status, date } = invoice;
    const path = pathOf(side, 'post', invoice.id);
    const call = { service: 'finance', method: 'POST', path, touches: [invoice] } as const;
    if (status === 'deleted') return { ...call, ...NOT_FOUND, touches: [] };
    const done = { ...call, status: 200, shows: () => invoiceResponse(invoice) };
    if (status === 'posted') return done;
    if (status === 'cancelled') return { ...call, ...ILLEGAL };
    if (isLocked(model, date, side)) return { ...call, ...LOCKED };
    const goods = goodsOf(invoice).map(({ product, qty }) => ({ product: product!, qty }));
    const missing = side === 'sales' ? missingStock(model, invoice.warehouse_id, goods) : undefined;
    if (missing) return { ...call, ...missing };
    return {
      ...done,
      happens() {
        moveGoods(model, invoice);
        postInvoiceJournal(model, invoice, 1);
        invoice.status = 'posted';
        invoice.number = nextNumber(model, side === 'sales' ? 'INV' : 'BILL', date);
      },
    };
  };
