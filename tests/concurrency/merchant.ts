/** A merchant with goods, a customer and POS orders. Drafts the documents for fifty concurrent calls. */
import { randomUUID } from 'node:crypto';
import { withIdempotencyKey, type SignedIn } from '@suite/testing/suite/http-caller';
import { firstOf, type Send, sendAs } from '../suite/trade.ts';
import { retryUntilDecided } from './concurrently.ts';

/** The default date of all records. */
export const DAY = '2026-03-02';

interface Line {
  product_id: string;
  qty: string;
  unit_price?: string;
}

export interface Merchant {
  customer_id: string;
  /** ID of the default warehouse. */
  warehouse_id: string;
  send: Send;
  /** Creates a product with the given stock and cost. Returns its ID. */
  goods(qty: string, unit_cost: string, in_warehouse?: string): Promise<string>;
  /** Creates a draft sales invoice. Returns its ID. */
  draft(lines: readonly Line[], invoice_date?: string): Promise<string>;
  /** Posts an invoice of one product. Returns its ID and the ID of its line. */
  sale(product_id: string, qty: string): Promise<{ id: string; invoice_line_id: string }>;
  /** Creates an approved revenue that settles part of an invoice. Returns the ID of the revenue. */
  approvedMoney(invoice_id: string, amount: string): Promise<string>;
  /** Returns the record at a path. */
  show(path: string): Promise<ReturnType<typeof JSON.parse>>;
}

/** Sets up a merchant in the owner's workspace. */
export async function merchant(owner: SignedIn): Promise<Merchant> {
  const send = sendAs({
    post(path, body) {
      const key = withIdempotencyKey();
      return retryUntilDecided(() => owner.post(path, body, key));
    },
  });
  const [warehouse_id, bank_account_id, category_id] = await Promise.all([
    firstOf(owner, '/api/warehouse?is_default=true'),
    firstOf(owner, '/api/bank-accounts'),
    firstOf(owner, '/api/revenue-categories'),
  ]);
  const { id: customer_id } = await send('/api/customers/create', { name: 'Grace Hopper' });
  const draft: Merchant['draft'] = async (lines, invoice_date = DAY) =>
    (await send('/api/sales-invoice/create', { customer_id, warehouse_id, invoice_date, lines })).id;
  return {
    draft,
    customer_id,
    warehouse_id,
    send,
    async goods(qty, unit_cost, in_warehouse = warehouse_id) {
      const sku = randomUUID();
      const { id: product_id } = await send('/api/product/create', { name: 'Bell', sku, sale_price: '19.99' });
      const stock = { product_id, warehouse_id: in_warehouse, qty, unit_cost, reason: 'opening' };
      await send('/api/product-stock/add', stock);
      return product_id;
    },
    async sale(product_id, qty) {
      const id = await draft([{ product_id, qty }]);
      const { lines } = await send(`/api/sales-invoice/post/${id}`);
      return { id, invoice_line_id: String(lines[0]?.id) };
    },
    async approvedMoney(invoice_id, amount) {
      const { id } = await send('/api/revenues/create', {
        date: DAY,
        category_id,
        bank_account_id,
        customer_id,
        amount,
        invoice_allocations: [{ invoice_id, amount }],
      });
      await send(`/api/revenues/approve/${id}`);
      return id;
    },
    async show(path) {
      const { status, body } = await owner.get(path);
      if (status !== 200) throw new Error(`${path} returned ${status}: ${JSON.stringify(body)}`);
      return body.data;
    },
  };
}
