/** Invoices in the demo: of what was sold and bought, paid or not, and now and then given back. */
import { happens, number, oneOf } from '../chance.ts';
import { basket, daysAgo, type DemoContext } from './demo-context.ts';

interface Invoice {
  id: string;
  total: string;
  customer_id?: string;
  vendor_id?: string;
  lines: { id: string; product_id: string | null }[];
}

interface Side {
  noun: 'sales-invoice' | 'purchase-invoice';
  cash: 'revenues' | 'expenses';
  allocations: 'invoice_allocations' | 'bill_allocations';
}

const SALE: Side = { noun: 'sales-invoice', cash: 'revenues', allocations: 'invoice_allocations' };
const PURCHASE: Side = { noun: 'purchase-invoice', cash: 'expenses', allocations: 'bill_allocations' };

/** Writes an invoice down and posts it, if its goods are there. Returns it when it is posted. */
async function invoice({ person }: DemoContext, { noun }: Side, body: object): Promise<Invoice | undefined> {
  const { id } = await person.post(`/api/${noun}/create`, body);
  if (!(await person.tried(`/api/${noun}/post/${id}`))) return undefined;
  return await person.get<Invoice>(`/api/${noun}/show/${id}`);
}

/** Pays so many per cent of an invoice. */
async function pay(context: DemoContext, side: Side, invoiced: Invoice, days: number, percent: number): Promise<void> {
  const { person, bank_account_id } = context;
  const { id: invoice_id, customer_id, vendor_id, total } = invoiced;
  const amount = percent === 100 ? total : ((Number(total) * percent) / 100).toFixed(2);
  const { id } = await person.post(`/api/${side.cash}/create`, {
    date: daysAgo(context, days),
    bank_account_id,
    amount,
    [side.allocations]: [{ invoice_id, amount }],
    ...(customer_id ? { customer_id } : { vendor_id }),
    category_id: customer_id ? context.revenue_category_id : context.expense_category_id,
    description: 'Bank transfer',
  });
  for (const step of ['approve', 'post']) await person.post(`/api/${side.cash}/${step}/${id}`);
}

/** Gives one of the first line back. */
async function giveBack(context: DemoContext, { id: invoice_id, lines }: Invoice, days: number): Promise<void> {
  const { person } = context;
  const reason = oneOf(['defective', 'wrong_item', 'not_needed']);
  const back = { invoice_id, return_date: daysAgo(context, days), reason };
  const { id } = await person.post('/api/sales-invoice-return/create', {
    ...back,
    lines: [{ invoice_line_id: lines[0]!.id, qty: '1' }],
  });
  for (const step of ['approve', ...(happens(0.7) ? ['complete'] : [])]) {
    await person.post(`/api/sales-invoice-return/${step}/${id}`);
  }
}

/** Sells on account: most of it is paid in time, some in part, some late or not at all. */
async function sale(context: DemoContext, days: number): Promise<void> {
  const invoiced = await invoice(context, SALE, {
    customer_id: oneOf(context.customers),
    invoice_date: daysAgo(context, days),
    lines: basket(context),
    ...(context.agents.length > 0 && happens(0.5) && { agent_id: oneOf(context.agents) }),
  });
  if (!invoiced) return;
  const paid = Math.max(0, days - number(3, 25));
  if (happens(0.6)) await pay(context, SALE, invoiced, paid, happens(0.8) ? 100 : 40);
  if (invoiced.lines[0]?.product_id && happens(0.15)) await giveBack(context, invoiced, Math.max(0, paid - 1));
}

/** Buys what is sold. */
async function purchase(context: DemoContext, days: number): Promise<void> {
  const lines = [1, 2]
    .map(() => oneOf(context.goods))
    .map(({ id: product_id, purchase_price }) => ({
      product_id,
      qty: String(number(5, 20)),
      unit_price: purchase_price,
    }));
  const vendor_reference = `R-${number(10_000, 99_999)}`;
  const body = { vendor_id: oneOf(context.vendors), invoice_date: daysAgo(context, days), vendor_reference, lines };
  const billed = await invoice(context, PURCHASE, body);
  if (billed && happens(0.6)) await pay(context, PURCHASE, billed, Math.max(0, days - number(5, 20)), 100);
}

/** Invoices of the last months, from the oldest on, and one draft at the end. */
export async function tradeInvoices(
  context: DemoContext,
  { sales, purchases, days }: { sales: number; purchases: number; days: number },
) {
  const dayOf = (at: number, of: number) => Math.round(days * (1 - (at + 1) / (of + 1)));
  for (let at = 0; at < purchases; at++) await purchase(context, dayOf(at, purchases));
  for (let at = 0; at < sales; at++) await sale(context, dayOf(at, sales));
  const draft = { customer_id: oneOf(context.customers), invoice_date: daysAgo(context, 0), lines: basket(context) };
  await context.person.post('/api/sales-invoice/create', draft);
}
