/** Sales in the demo: quotes, orders and proposals, and the resulting invoices. */
import { randomNumber, pickOne } from '../random.ts';
import { pickSaleLines, daysAgo, type DemoContext, withOwnQueue } from './demo-context.ts';

/** Final status of each quote. An ordered quote is the start of an order. */
const QUOTES = ['draft', 'sent', 'sent', 'declined', 'accepted'] as const;
const ORDERS = ['draft', 'confirmed', 'on_hold', 'cancelled', 'invoiced'] as const;
const PROPOSALS = ['draft', 'sent', 'rejected', 'accepted', 'converted'] as const;

/** Randomly chosen document. It returns its invoice, which is created after the invoices of earlier days are posted. */
type SaleStep = () => Promise<(() => Promise<void>) | undefined>;

function quote(context: DemoContext, end: (typeof QUOTES)[number]): () => Promise<string> {
  const { person } = context;
  const body = {
    customer_id: pickOne(context.customers),
    expiry_date: daysAgo(context, -randomNumber(10, 40)),
    lines: pickSaleLines(context),
  };
  return async () => {
    const { id } = await person.post('/api/sales/quotes/store', body);
    if (end !== 'draft') await person.post(`/api/sales/quotes/update/${id}`, { status: 'sent' });
    if (end === 'accepted' || end === 'declined') await person.post(`/api/sales/quotes/update/${id}`, { status: end });
    return id;
  };
}

/** Creates an order from an accepted quote. Without enough stock it cannot be confirmed and stays a draft. */
function order(context: DemoContext, end: (typeof ORDERS)[number]): SaleStep {
  const { person } = context;
  const accepted = quote(context, 'accepted');
  const delivery_date = daysAgo(context, -randomNumber(3, 20));
  return async () => {
    const { id } = await person.post('/api/sales/sales-order/store', { quote_id: await accepted(), delivery_date });
    const become = (status: string) => person.tried(`/api/sales/sales-order/update/${id}`, { status });
    if (end === 'draft' || !(await become('confirmed'))) return undefined;
    if (end === 'on_hold' || end === 'cancelled') await become(end);
    if (end !== 'invoiced') return undefined;
    return async () => {
      const path = `/api/sales/sales-order/convert-to-invoice/${id}`;
      const { invoice_id } = await person.post<{ invoice_id: string }>(path);
      await person.post(`/api/sales-invoice/post/${invoice_id}`);
    };
  };
}

function proposal(context: DemoContext, end: (typeof PROPOSALS)[number]): SaleStep {
  const { person } = context;
  const body = {
    customer_id: pickOne(context.customers),
    valid_until: daysAgo(context, -randomNumber(10, 60)),
    lines: pickSaleLines(context),
  };
  return async () => {
    const { id } = await person.post('/api/sales-proposal/create', body);
    const step = async (verb: string, more = {}) => {
      await person.post(`/api/sales-proposal/${verb}/${id}`, more);
    };
    if (end === 'draft') return undefined;
    await step('sent');
    if (end === 'rejected') await step('reject', { reason: 'Too expensive for this year.' });
    if (end === 'accepted' || end === 'converted') await step('accept');
    return end === 'converted' ? () => step('convert-to-invoice') : undefined;
  };
}

/**
 * Decides on rounds of sales, each with every outcome that a sale can have.
 * @returns function that creates the sales. Their invoices are of today, so they wait for the posting of the earlier
 * invoices
 */
export function decideSales(context: DemoContext, rounds: number): (posted: Promise<void>) => Promise<void> {
  const line = withOwnQueue(context, 'sales');
  const deeds = Array.from({ length: rounds }, () => [
    ...QUOTES.map((end): SaleStep => {
      const made = quote(line, end);
      return () => made().then(() => undefined);
    }),
    ...ORDERS.map((end) => order(line, end)),
    ...PROPOSALS.map((end) => proposal(line, end)),
  ]).flat();
  return async (posted) => {
    const invoices: (() => Promise<void>)[] = [];
    for (const deed of deeds) {
      const toInvoice = await deed();
      if (toInvoice) invoices.push(toInvoice);
    }
    await posted;
    for (const toInvoice of invoices) await toInvoice();
  };
}
