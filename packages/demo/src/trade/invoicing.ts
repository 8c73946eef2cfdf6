/** Invoices in the demo: of what was sold and bought, paid or not, and now and then given back. */
import { happens, number, oneOf } from '../chance.ts';
import { basket, daysAgo, type DemoContext, inLine } from './demo-context.ts';

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

/** Writes an invoice down and posts it, if its goods are there. Returns its id when it is posted. */
async function invoice({ person }: DemoContext, { noun }: Side, body: object): Promise<string | undefined> {
  const { id } = await person.post(`/api/${noun}/create`, body);
  return (await person.tried(`/api/${noun}/post/${id}`)) ? id : undefined;
}

const shown = ({ person }: DemoContext, { noun }: Side, id: string): Promise<Invoice> =>
  person.get<Invoice>(`/api/${noun}/show/${id}`);

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

/** Decides on giving one of the first line back. */
function givingBack(context: DemoContext, days: number): (invoiced: Invoice) => Promise<void> {
  const { person } = context;
  const reason = oneOf(['defective', 'wrong_item', 'not_needed']);
  const steps = ['approve', ...(happens(0.7) ? ['complete'] : [])];
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

/** An invoice that chance has decided on, with all that becomes of it. */
interface Trade {
  post(): Promise<string | undefined>;
  settle(invoice_id: string): Promise<void>;
}

/** The lines in which invoices, and all that becomes of them, follow one another. */
interface Lines {
  invoices: DemoContext;
  settlements: DemoContext;
}

/** Sells on account: most of it is paid in time, some in part, some late or not at all. */
function sale({ invoices, settlements }: Lines, days: number): Trade {
  const body = {
    customer_id: oneOf(invoices.customers),
    invoice_date: daysAgo(invoices, days),
    lines: basket(invoices),
    ...(invoices.agents.length > 0 && happens(0.5) && { agent_id: oneOf(invoices.agents) }),
  };
  const paid = Math.max(0, days - number(3, 25));
  const percent = happens(0.6) ? (happens(0.8) ? 100 : 40) : 0;
  const giveBack = happens(0.15) ? givingBack(settlements, Math.max(0, paid - 1)) : undefined;
  return {
    post: () => invoice(invoices, SALE, body),
    async settle(id) {
      if (percent === 0 && !giveBack) return;
      const invoiced = await shown(settlements, SALE, id);
      if (percent > 0) await pay(settlements, SALE, invoiced, paid, percent);
      await giveBack?.(invoiced);
    },
  };
}

/** Buys what is sold. */
function purchase({ invoices, settlements }: Lines, days: number): Trade {
  const lines = [1, 2]
    .map(() => oneOf(invoices.goods))
    .map(({ id: product_id, purchase_price }) => ({
      product_id,
      qty: String(number(5, 20)),
      unit_price: purchase_price,
    }));
  const vendor_reference = `R-${number(10_000, 99_999)}`;
  const body = { vendor_id: oneOf(invoices.vendors), invoice_date: daysAgo(invoices, days), vendor_reference, lines };
  const paid = happens(0.6) ? Math.max(0, days - number(5, 20)) : undefined;
  return {
    post: () => invoice(invoices, PURCHASE, body),
    async settle(id) {
      if (paid === undefined) return;
      await pay(settlements, PURCHASE, await shown(settlements, PURCHASE, id), paid, 100);
    },
  };
}

/** Invoices under way. */
interface Invoicing {
  posted: Promise<void>;
  settled: Promise<void>;
}

/**
 * Decides on invoices of the last months, from the oldest on, and one draft at the end.
 * @returns what writes them down. Numbers follow the days, so each is posted after the one before, and so are payments and
 * returns, which follow the invoices in a line of their own.
 */
export function decideInvoices(
  context: DemoContext,
  { sales, purchases, days }: { sales: number; purchases: number; days: number },
): () => Invoicing {
  const lines = { invoices: inLine(context, 'invoices'), settlements: inLine(context, 'settlements') };
  const dayOf = (at: number, of: number) => Math.round(days * (1 - (at + 1) / (of + 1)));
  const trades = [
    ...Array.from({ length: purchases }, (_, at) => purchase(lines, dayOf(at, purchases))),
    ...Array.from({ length: sales }, (_, at) => sale(lines, dayOf(at, sales))),
  ];
  const draft = { customer_id: oneOf(context.customers), invoice_date: daysAgo(context, 0), lines: basket(context) };
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
