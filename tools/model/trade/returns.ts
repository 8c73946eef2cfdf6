/** Sales and purchase returns: the returned goods of an invoice, and the resulting note. */
import {
  type Attempt,
  NOT_FOUND,
  ILLEGAL,
  INVALID,
  type Json,
  LOCKED,
  type Plan,
  rejection,
} from '../state/attempt.ts';
import { ExactDecimal, money, toPlainText, step, total } from '../state/exact-decimal.ts';
import { type Choice, choose } from '../state/choice.ts';
import {
  postEntry,
  type Invoice,
  isAlive,
  isLocked,
  type Model,
  type Note,
  nextNumber,
  openAmount,
  type Return,
  type ReturnLine,
} from '../state/model.ts';
import { missingStock, move } from '../state/shelves.ts';
import { partOf, sumOf } from '../state/totals.ts';

export interface NewReturn extends Choice {
  date: string;
  /** Returned part of each existing invoice line: its quantity, and if the goods are scrapped. */
  parts: { qty: ExactDecimal; all: boolean; scrap: boolean; skip: boolean }[];
}

const pathOf = ({ side }: Pick<Invoice, 'side'>, verb: string, id = '') =>
  `/api/${side === 'sales' ? 'sales-invoice-return' : 'purchase-return'}/${verb}${id && `/${id}`}`;

const sums = ({ lines }: Return) => sumOf(lines.map(({ figures }) => figures));

function returnResponse(back: Return): Json {
  const { net_total, tax_total, total: worth } = sums(back);
  return {
    id: back.id,
    status: back.status,
    number: back.number,
    invoice_id: back.invoice.id,
    net_total: money(net_total),
    tax_total: money(tax_total),
    total: money(worth),
    pending_effects: [],
    lines: back.lines.map(({ origin, qty, figures }) => ({
      invoice_line_id: origin.id,
      qty: toPlainText(qty),
      net: money(figures.net),
      tax: money(figures.tax),
    })),
  };
}

/**
 * Returns the amounts of the parts, after earlier returns, or the refusal if the parts exceed the returnable quantity.
 */
function value(lines: readonly Pick<ReturnLine, 'origin' | 'qty'>[]) {
  const over = lines.find(({ origin, qty }) => qty.gt(origin.qty.minus(origin.returned)));
  if (over) {
    const { id, qty, returned } = over.origin;
    return rejection('over_returned', 422, { invoice_line_id: id, returnable: toPlainText(qty.minus(returned)) });
  }
  return lines.map(({ origin, qty }) => partOf(origin.figures, origin.qty, origin.returned, qty));
}

/** Creates a draft return. */
export const draftReturn =
  ({ date, parts, ...which }: NewReturn): Plan =>
  (model) => {
    const invoice = choose(model.invoices, which, ({ status }) => status === 'posted');
    if (!invoice) return undefined;
    const named = invoice.lines.flatMap((origin, at) => {
      const part = parts[at];
      if (!part || (part.skip && at > 0)) return [];
      const left = origin.qty.minus(origin.returned);
      const qty = part.all && left.gt(0) ? left : part.qty;
      return [{ origin, qty, disposition: part.scrap ? ('scrap' as const) : ('restock' as const) }];
    });
    const body = {
      invoice_id: invoice.id,
      return_date: date,
      reason: 'other',
      lines: named.map(({ origin, qty, disposition }) => ({
        invoice_line_id: origin.id,
        qty: toPlainText(qty),
        disposition,
      })),
    };
    const call = { service: 'finance', method: 'POST', path: pathOf(invoice, 'create'), body } as const;
    if (invoice.status !== 'posted' || date < invoice.date) return { ...call, ...INVALID };
    const figures = value(named);
    if (!Array.isArray(figures)) return { ...call, ...figures };
    const lines = named.map((line, at) => ({ ...line, figures: figures[at]!, cost: null }));
    const draft = { side: invoice.side, id: '', invoice, date, lines, status: 'draft', number: null };
    const back = { ...draft, approved: null, note: null } as Return;
    return {
      ...call,
      status: 201,
      touches: [invoice],
      happens({ id }) {
        back.id = id;
        model.returns.push(back);
      },
      shows: () => returnResponse(back),
    };
  };

/** Deletes a draft invoice. Other invoices cannot be deleted. */
export const deleteReturn =
  (which: Choice): Plan =>
  (model) => {
    const back = choose(model.returns, which, ({ status }) => status === 'draft');
    if (!back) return undefined;
    const path = pathOf(back, 'delete', back.id);
    const call = { service: 'finance', method: 'DELETE', path, touches: [back.invoice] } as const;
    if (back.status === 'deleted') return { ...call, ...NOT_FOUND };
    if (back.status !== 'draft') return { ...call, ...ILLEGAL };
    const happens = () => {
      back.status = 'deleted';
    };
    return { ...call, status: 200, happens };
  };

/** Deducts the quantities from the invoice, at their current value. */
function freeze(model: Model, back: Return, figures: ReturnLine['figures'][]): void {
  for (const [at, line] of back.lines.entries()) {
    const { origin, qty } = line;
    const isBack = back.side === 'sales' && line.disposition === 'restock' && origin.cost;
    line.figures = figures[at]!;
    line.cost = isBack ? step(isBack, origin.qty, origin.returned, qty) : null;
    origin.returned = origin.returned.plus(qty);
  }
  back.status = 'approved';
  back.approved = model.returns.filter(({ approved }) => approved !== null).length;
  back.number = nextNumber(model, back.side === 'sales' ? 'SR' : 'PR', back.date);
}

/** Approves a return once, even if the request is repeated. */
export const approveReturn =
  (which: Choice): Plan =>
  (model): Attempt | undefined => {
    const back = choose(model.returns, which, ({ status }) => status === 'draft');
    if (!back) return undefined;
    const path = pathOf(back, 'approve', back.id);
    const call = { service: 'finance', method: 'POST', path, touches: [back.invoice] } as const;
    if (back.status === 'deleted') return { ...call, ...NOT_FOUND };
    const done = { ...call, status: 200, shows: () => returnResponse(back) };
    if (back.status === 'cancelled') return { ...call, ...ILLEGAL };
    if (back.status !== 'draft') return done;
    const figures = value(back.lines);
    if (!Array.isArray(figures)) return { ...call, ...figures };
    return { ...done, happens: () => freeze(model, back, figures) };
  };

const goodsOf = ({ side, lines }: Return) =>
  lines.filter(
    ({ origin, disposition }) => origin.product?.tracked && (side === 'purchase' || disposition === 'restock'),
  );

function postSalesReturn(model: Model, back: Return): void {
  const { net_total, tax_total, total: owed } = sums(back);
  const cost = total(goodsOf(back).map((line) => line.cost!));
  postEntry(model, 'sales_returns', net_total);
  postEntry(model, 'tax_output', tax_total);
  postEntry(model, 'receivable', owed.negated());
  postEntry(model, 'inventory', cost);
  postEntry(model, 'cost', cost.negated());
}

/** Posts the difference between the purchase price of the goods and the stock value that leaves with them. */
function postPurchaseReturn(model: Model, back: Return): void {
  const { net_total, tax_total, total: owed } = sums(back);
  const goods = goodsOf(back);
  const bought = total(goods.map(({ figures }) => figures.net));
  const left = total(goods.map((line) => line.cost!));
  postEntry(model, 'payable', owed);
  postEntry(model, 'tax_input', tax_total.negated());
  postEntry(model, 'inventory', left.negated());
  postEntry(model, 'variance', left.minus(bought));
  const texts = total(back.lines.filter(({ origin }) => !origin.product).map(({ figures }) => figures.net));
  postEntry(model, 'cost', bought.plus(texts).minus(net_total));
  postEntry(model, 'purchased_services', texts.negated());
}

function finish(model: Model, back: Return): void {
  const { invoice, side, date } = back;
  for (const line of goodsOf(back)) {
    const product = line.origin.product!;
    if (side === 'sales') move(model, product, invoice.warehouse_id, line.qty, line.cost!);
    else line.cost = move(model, product, invoice.warehouse_id, line.qty.negated()).negated();
  }
  if (side === 'sales') postSalesReturn(model, back);
  else postPurchaseReturn(model, back);
  const worth = sums(back).total;
  const note: Note = { kind: 'note', number: nextNumber(model, side === 'sales' ? 'CN' : 'DN', date), total: worth };
  const amount = ExactDecimal.min(worth, openAmount(invoice));
  if (!amount.isZero()) invoice.settlements.push({ by: note, amount, date });
  back.note = note;
  back.status = 'completed';
}

/** Completes an approved return: the goods move, and the note is applied to the open amount of the invoice. */
export const completeReturn =
  (which: Choice): Plan =>
  (model): Attempt | undefined => {
    const back = choose(model.returns, which, ({ status }) => status === 'approved');
    if (!back) return undefined;
    const path = pathOf(back, 'complete', back.id);
    const call = { service: 'finance', method: 'POST', path, touches: [back.invoice] } as const;
    if (back.status === 'deleted') return { ...call, ...NOT_FOUND };
    if (back.status === 'draft' || back.status === 'cancelled') return { ...call, ...ILLEGAL };
    const done = { ...call, status: 200, shows: () => returnResponse(back) };
    if (back.status === 'completed') return done;
    if (isLocked(model, back.date, back.side)) return { ...call, ...LOCKED };
    const goods = goodsOf(back).map(({ origin, qty }) => ({ product: origin.product!, qty }));
    const missing = back.side === 'purchase' ? missingStock(model, back.invoice.warehouse_id, goods) : undefined;
    if (missing) return { ...call, ...missing };
    return { ...done, happens: () => finish(model, back) };
  };

/** Checks for later returns of the same lines. Their amounts depend on the earlier ones. */
const isBuiltOn = (model: Model, back: Return): boolean =>
  model.returns.some(
    (later) =>
      isAlive(later) &&
      (later.approved ?? -1) > back.approved! &&
      later.lines.some(({ origin }) => back.lines.some((line) => line.origin === origin)),
  );

/** Cancels an approved return once, even if the request is repeated. */
export const cancelReturn =
  (which: Choice): Plan =>
  (model): Attempt | undefined => {
    const back = choose(model.returns, which, ({ status }) => status === 'approved');
    if (!back) return undefined;
    const path = pathOf(back, 'cancel', back.id);
    const call = { service: 'finance', method: 'POST', path, touches: [back.invoice] } as const;
    if (back.status === 'deleted') return { ...call, ...NOT_FOUND };
    const done = { ...call, status: 200, shows: () => returnResponse(back) };
    if (back.status === 'cancelled') return done;
    if (back.status !== 'approved') return { ...call, ...ILLEGAL };
    if (isBuiltOn(model, back)) return { ...call, ...rejection('later_return') };
    return {
      ...done,
      happens() {
        for (const { origin, qty } of back.lines) origin.returned = origin.returned.minus(qty);
        back.status = 'cancelled';
      },
    };
  };
