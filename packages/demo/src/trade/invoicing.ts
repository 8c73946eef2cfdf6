/** Invoices in the demo: for sales and purchases, paid or unpaid, and sometimes returned. */
import { isChosen, randomNumber, pickOne } from '../random.ts';
import { pickSaleLines, daysAgo, type DemoContext, withOwnQueue } from './demo-context.ts';

interface Invoice {
  id: string;
  total: string;
  customer_id?: string;
  vendor_id?: string;
  lines: { id: string; product_id: string | null }[];
}

interface InvoiceSide {
  noun: 'sales-invoice' | 'purchase-invoice';
  cash: 'revenues' | 'expenses';
  allocations: 'invoice_allocations' | 'bill_allocations';
}

const SALE: InvoiceSide = { noun: 'sales-invoice', cash: 'revenues', allocations: 'invoice_allocations' };
const PURCHASE: InvoiceSide = { noun: 'purchase-invoice', cash: 'expenses', allocations: 'bill_allocations' };

/** Creates an invoice and posts it if its goods are available. Returns the ID of a posted invoice. */
async function invoice({ person }: DemoContext, { noun }: InvoiceSide, body: object): Promise<string | undefined> {
  const { id } = await person.post(`/api/${noun}/create`, body);
  return (await person.tried(`/api/${noun}/post/${id}`)) ? id : undefined;
}

const readInvoice = ({ person }: DemoContext, { noun }: InvoiceSide, id: string): Promise<Invoice> =>
  person.get<Invoice>(`/api/${noun}/show/${id}`);

/** Pays the given percentage of an invoice. */
async function pay(
  context: DemoContext,
  side: InvoiceSide,
  invoiced: Invoice,
  days: number,
  percent: number,
): Promise<void> {
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

/** Chooses whether to return one unit of the first line. */
function returnPlan(context: DemoContext, days: number): (invoiced: Invoice) => Promise<void> {
  const { person } = context;
  const reason = pickOne(['defective', 'wrong_item', 'not_needed']);
  const steps = ['approve', ...(isChosen(0.7) ? ['complete'] : [])];
  return async ({ id: invoice_id, lines }) => {
    const { id } = await person.post('/api/sales-invoice-return/create', {
      invoice_id,
      return_date: daysAgo(context, days),
      reason,
      lines: [{ invoice_line_id: lines[0]!.id, qty: '1' }],
    });
    for (const step of steps) await person.post(`/api/sales-invoice-return/${step}/${id}`);
  };
}

/** Randomly chosen invoice, with its payments and returns. */
interface InvoicePlan {
  post(): Promise<string | undefined>;
  settle(invoice_id: string): Promise<void>;
}

/** Queues in which invoices, with their payments and returns, follow one another. */
interface InvoiceQueues {
  invoices: DemoContext;
  settlements: DemoContext;
}

/** Creates sales on account: most are paid in time, some in part, late or not at all. */
function sale({ invoices, settlements }: InvoiceQueues, days: number): InvoicePlan {
  const body = {
    customer_id: pickOne(invoices.customers),
    invoice_date: daysAgo(invoices, days),
    lines: pickSaleLines(invoices),
    ...(invoices.agents.length > 0 && isChosen(0.5) && { agent_id: pickOne(invoices.agents) }),
  };
  const paid = Math.max(0, days - randomNumber(3, 25));
  const percent = isChosen(0.6) ? (isChosen(0.8) ? 100 : 40) : 0;
  const giveBack = isChosen(0.15) ? returnPlan(settlements, Math.max(0, paid - 1)) : undefined;
  return {
    post: () => invoice(invoices, SALE, body),
    async settle(id) {
      if (percent === 0 && !giveBack) return;
      const invoiced = await readInvoice(settlements, SALE, id);
      if (percent > 0) await pay(settlements, SALE, invoiced, paid, percent);
      await giveBack?.(invoiced);
    },
  };
}

/** Creates purchases of the goods that are sold. */
function purchase({ invoices, settlements }: InvoiceQueues, days: number): InvoicePlan {
  const lines = [1, 2]
    .map(() => pickOne(invoices.goods))
    .map(({ id: product_id, purchase_price }) => ({
      product_id,
      qty: String(randomNumber(5, 20)),
      unit_price: purchase_price,
    }));
  const vendor_reference = `R-${randomNumber(10_000, 99_999)}`;
  const body = { vendor_id: pickOne(invoices.vendors), invoice_date: daysAgo(invoices, days), vendor_reference, lines };
  const paid = isChosen(0.6) ? Math.max(0, days - randomNumber(5, 20)) : undefined;
  return {
    post: () => invoice(invoices, PURCHASE, body),
    async settle(id) {
      if (paid === undefined) return;
      await pay(settlements, PURCHASE, await readInvoice(settlements, PURCHASE, id), paid, 100);
    },
  };
}

/** The invoices being created. */
interface Invoicing {
  posted: Promise<void>;
  settled: Promise<void>;
}

/**
 * Chooses invoices of the last months, oldest first, and one draft at the end.
 * @returns a function that creates them. Numbers follow the days, so each invoice is posted after the previous one.
 * Payments and returns follow in a separate sequence.
 */
export function decideInvoices(
  context: DemoContext,
  { sales, purchases, days }: { sales: number; purchases: number; days: number },
): () => Invoicing {
  const lines = { invoices: withOwnQueue(context, 'invoices'), settlements: withOwnQueue(context, 'settlements') };
  const dayOf = (at: number, of: number) => Math.round(days * (1 - (at + 1) / (of + 1)));
  const trades = [
    ...Array.from({ length: purchases }, (_, at) => purchase(lines, dayOf(at, purchases))),
    ...Array.from({ length: sales }, (_, at) => sale(lines, dayOf(at, sales))),
  ];
  const draft = {
    customer_id: pickOne(context.customers),
    invoice_date: daysAgo(context, 0),
    lines: pickSaleLines(context),
  };
  return () => {
    const postings: Promise<string | undefined>[] = [];
    let before: Promise<unknown> = Promise.resolve();
    for (const { post } of trades) {
      const posting = before.then(post);
      postings.push(posting);
      before = posting;
    }
    const settle = async () => {
      for (const [at, { settle: settleOne }] of trades.entries()) {
        const invoice_id = await postings[at];
        if (invoice_id) await settleOne(invoice_id);
      }
    };
    const posted = before.then(async () => {
      await lines.invoices.person.post('/api/sales-invoice/create', draft);
    });
    return { posted, settled: settle() };
  };
}
