/** Selling in the demo: quotes, orders and proposals, and the invoices that come of them. */
import { number, oneOf } from '../chance.ts';
import { basket, daysAgo, type DemoContext } from './demo-context.ts';

/** How far a quote comes; one that is ordered is the beginning of an order. */
const QUOTES = ['draft', 'sent', 'sent', 'declined', 'accepted'] as const;
const ORDERS = ['draft', 'confirmed', 'on_hold', 'cancelled', 'invoiced'] as const;
const PROPOSALS = ['draft', 'sent', 'rejected', 'accepted', 'converted'] as const;

async function quote(context: DemoContext, end: (typeof QUOTES)[number]): Promise<string> {
  const { person } = context;
  const body = {
    customer_id: oneOf(context.customers),
    expiry_date: daysAgo(context, -number(10, 40)),
    lines: basket(context),
  };
  const { id } = await person.post('/api/sales/quotes/store', body);
  if (end !== 'draft') await person.post(`/api/sales/quotes/update/${id}`, { status: 'sent' });
  if (end === 'accepted' || end === 'declined') await person.post(`/api/sales/quotes/update/${id}`, { status: end });
  return id;
}

/** An order of an accepted quote. What is not there cannot be confirmed: then it stays a draft. */
async function order(context: DemoContext, end: (typeof ORDERS)[number]): Promise<void> {
  const { person } = context;
  const quote_id = await quote(context, 'accepted');
  const { id } = await person.post('/api/sales/sales-order/store', {
    quote_id,
    delivery_date: daysAgo(context, -number(3, 20)),
  });
  const become = (status: string) => person.tried(`/api/sales/sales-order/update/${id}`, { status });
  if (end === 'draft' || !(await become('confirmed'))) return;
  if (end === 'on_hold' || end === 'cancelled') await become(end);
  if (end !== 'invoiced') return;
  const { invoice_id } = await person.post<{ invoice_id: string }>(`/api/sales/sales-order/convert-to-invoice/${id}`);
  await person.post(`/api/sales-invoice/post/${invoice_id}`);
}

async function proposal(context: DemoContext, end: (typeof PROPOSALS)[number]): Promise<void> {
  const { person } = context;
  const body = {
    customer_id: oneOf(context.customers),
    valid_until: daysAgo(context, -number(10, 60)),
    lines: basket(context),
  };
  const { id } = await person.post('/api/sales-proposal/create', body);
  const step = (verb: string, more = {}) => person.post(`/api/sales-proposal/${verb}/${id}`, more);
  if (end === 'draft') return;
  await step('sent');
  if (end === 'rejected') await step('reject', { reason: 'Too expensive for this year.' });
  if (end === 'accepted' || end === 'converted') await step('accept');
  if (end === 'converted') await step('convert-to-invoice');
}

/** Rounds of sales, each with every outcome that a sale can have. */
export async function sell(context: DemoContext, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const end of QUOTES) await quote(context, end);
    for (const end of ORDERS) await order(context, end);
    for (const end of PROPOSALS) await proposal(context, end);
  }
}
