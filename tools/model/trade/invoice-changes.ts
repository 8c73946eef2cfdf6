/** Changes of existing invoices: drafts are changed or deleted, posted invoices are cancelled. */
import {
  type ActualResponse,
  type Attempt,
  NOT_FOUND,
  ILLEGAL,
  INVALID,
  LOCKED,
  type Plan,
  rejection,
} from '../state/attempt.ts';
import { type Choice, choose } from '../state/choice.ts';
import {
  postInvoiceJournal,
  fill,
  goodsOf,
  type NewLine,
  pathOf,
  invoiceResponse,
  statusOf,
  writeLines,
} from './invoices.ts';
import { type Invoice, isAlive, isLocked, type Model } from '../state/model.ts';
import { missingStock, move } from '../state/shelves.ts';
import { totalsOf } from '../state/totals.ts';

export interface Change extends Choice {
  lines: NewLine[];
}

/** Changes the lines of a draft. Invoices in any other status reject the change. */
export const changeInvoice =
  ({ lines, ...which }: Change): Plan =>
  (model) => {
    const invoice = choose(model.invoices, which, ({ status }) => status === 'draft');
    if (!invoice) return undefined;
    const written = writeLines(model, invoice.side, lines);
    const body = { lines: written.map(({ said }) => said) };
    const path = pathOf(invoice.side, 'update', invoice.id);
    const call = { service: 'finance', method: 'POST', path, body } as const;
    if (invoice.status === 'deleted') return { ...call, ...NOT_FOUND };
    if (invoice.status !== 'draft') return { ...call, ...ILLEGAL, touches: [invoice] };
    const fits = totalsOf(
      written.map((line) => line.written),
      invoice.discount,
    );
    if (!fits) return { ...call, ...INVALID, touches: [invoice] };
    const happens = (answered: ActualResponse) => fill(invoice, written, answered);
    return { ...call, status: 200, happens, shows: () => invoiceResponse(invoice) };
  };

/** Deletes a draft invoice. Other invoices cannot be deleted. */
export const deleteInvoice =
  (which: Choice): Plan =>
  (model) => {
    const invoice = choose(model.invoices, which, ({ status }) => status === 'draft');
    if (!invoice) return undefined;
    const path = pathOf(invoice.side, 'delete', invoice.id);
    const call = { service: 'finance', method: 'DELETE', path } as const;
    if (invoice.status === 'deleted') return { ...call, ...NOT_FOUND };
    if (invoice.status !== 'draft') return { ...call, ...ILLEGAL, touches: [invoice] };
    return {
      ...call,
      status: 200,
      happens() {
        invoice.status = 'deleted';
      },
    };
  };

/** Returns sold goods to the stock at their cost, and removes purchased goods from the stock. */
function returnGoods(model: Model, invoice: Invoice): void {
  const [isSale, warehouse_id] = [invoice.side === 'sales', invoice.warehouse_id];
  for (const { line, product, qty } of goodsOf(invoice)) {
    if (isSale) move(model, product!, warehouse_id, qty, line.cost!);
    else move(model, product!, warehouse_id, qty.negated(), line.cost!.negated());
    model.unsettled = true;
  }
}

/** Cancels a posted invoice once, even if the request is repeated. Other invoices cannot be cancelled. */
export const cancelInvoice =
  (which: Choice): Plan =>
  (model): Attempt | undefined => {
    const invoice = choose(model.invoices, which, ({ status }) => status === 'posted');
    if (!invoice) return undefined;
    const { side, status, date } = invoice;
    const path = pathOf(side, 'cancel', invoice.id);
    const call = { service: 'finance', method: 'POST', path, touches: [invoice] } as const;
    if (status === 'deleted') return { ...call, ...NOT_FOUND, touches: [] };
    const done = { ...call, status: 200 };
    if (status === 'cancelled') return done;
    if (statusOf(invoice) !== 'posted') return { ...call, ...ILLEGAL };
    const comesBack = model.returns.some((back) => back.invoice === invoice && isAlive(back));
    if (comesBack) return { ...call, ...rejection('has_returns') };
    if (isLocked(model, date, side)) return { ...call, ...LOCKED };
    const goods = goodsOf(invoice).map(({ product, qty }) => ({ product: product!, qty }));
    const missing = side === 'purchase' ? missingStock(model, invoice.warehouse_id, goods) : undefined;
    if (missing) return { ...call, ...missing };
    return {
      ...done,
      happens() {
        postInvoiceJournal(model, invoice, -1);
        returnGoods(model, invoice);
        invoice.status = 'cancelled';
      },
    };
  };
