/** The work of users in crm, inventory and finance together: goods that are ordered, sold, paid, returned and moved. */
import type { HttpCaller } from '@suite/testing';
import type { Task, CreatedRecord } from './load-worker.ts';

/** The products, business partners and warehouses of the scenarios. */
export interface Business {
  product_id: string;
  customer_id: string;
  vendor_id: string;
  warehouse_id: string;
  other_warehouse_id: string;
  category_id: string;
  bank_account_id: string;
}

const DAY = '2026-03-02';
const PRICE = '10.00';
/** Large enough that small requests are never refused. */
const PLENTY = '1000000';

/** Opens a business: a product with plenty of stock in one of two warehouses, a customer and a vendor. */
export async function openBusiness(person: HttpCaller): Promise<Business> {
  const send = async (path: string, body: object): Promise<CreatedRecord> => {
    const { status, body: answer } = await person.post(path, body);
    if (status !== 201) throw new Error(`${path} returned ${status}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const first = async (path: string): Promise<string> => (await person.get(path)).body.data[0].id;
  const tax_ids = [(await send('/api/tax/create', { name: 'VAT', rate: '20' })).id];
  const bell = { name: 'Bicycle bell', sku: 'BELL', sale_price: PRICE, tax_ids };
  const { id: product_id } = await send('/api/product/create', bell);
  const warehouse_id = await first('/api/warehouse');
  await send('/api/product-stock/add', {
    product_id,
    warehouse_id,
    qty: PLENTY,
    unit_cost: '2.00',
    reason: 'opening',
  });
  return {
    product_id,
    warehouse_id,
    other_warehouse_id: (await send('/api/warehouse/create', { name: 'Annex', code: 'ANNEX' })).id,
    customer_id: (await send('/api/customers/create', { name: 'Grace Hopper' })).id,
    vendor_id: (await send('/api/vendors/create', { name: 'Ada Lovelace' })).id,
    category_id: await first('/api/revenue-categories'),
    bank_account_id: await first('/api/bank-accounts'),
  };
}

/** Drafts an invoice for goods in stock and posts it. */
export const invoiceGoods =
  ({ product_id, customer_id }: Business): Task =>
  async ({ marker, step }) => {
    const lines = [{ product_id, qty: '3' }];
    const drafted = { customer_id, invoice_date: DAY, reference: marker, lines };
    const { id } = await step('draft', '/api/sales-invoice/create', drafted);
    await step('posting', `/api/sales-invoice/post/${id}`);
  };

/** Drafts an invoice, posts it, receives part of the money and takes a partial return. */
export const invoiceAndReturn =
  ({ product_id, customer_id, category_id, bank_account_id }: Business): Task =>
  async ({ marker, step }) => {
    const lines = [{ product_id, qty: '3' }];
    const drafted = { customer_id, invoice_date: DAY, reference: marker, lines };
    const { id } = await step('draft', '/api/sales-invoice/create', drafted);
    const { effects } = await step('posting', `/api/sales-invoice/post/${id}`);
    const paid = { invoice_allocations: [{ invoice_id: id, amount: '7.00' }], amount: '10.00', customer_id };
    const money = { ...paid, category_id, bank_account_id, date: DAY, reference: marker };
    const revenue = await step('revenue', '/api/revenues/create', money);
    await step('approval', `/api/revenues/approve/${revenue.id}`);
    await step('payment', `/api/revenues/post/${revenue.id}`);
    const back = { invoice_id: id, return_date: DAY, reason: 'defective', notes: marker };
    const part = { invoice_line_id: effects?.stock_moves[0]?.line_id, qty: '1' };
    const given = await step('return', '/api/sales-invoice-return/create', { ...back, lines: [part] });
    await step('return approval', `/api/sales-invoice-return/approve/${given.id}`);
    await step('return completion', `/api/sales-invoice-return/complete/${given.id}`);
  };

/**
 * Buys goods, and posts an invoice for more than the available stock. That invoice is rejected and leaves nothing
 * behind.
 */
export const purchaseGoods =
  ({ product_id, vendor_id, customer_id }: Business): Task =>
  async ({ marker, step }) => {
    const bill = { vendor_id, vendor_reference: marker, invoice_date: DAY };
    const lines = [{ product_id, qty: '2', unit_price: '3.00' }];
    const { id } = await step('bill', '/api/purchase-invoice/create', { ...bill, lines });
    await step('bill posting', `/api/purchase-invoice/post/${id}`);
    const greedy = { customer_id, invoice_date: DAY, reference: marker, lines: [{ product_id, qty: `9${PLENTY}` }] };
    const { id: much } = await step('draft', '/api/sales-invoice/create', greedy);
    await step('overselling', `/api/sales-invoice/post/${much}`);
  };

/** Confirms an order, which reserves goods, and another one that is cancelled afterwards. */
export const orderGoods =
  ({ product_id, customer_id }: Business): Task =>
  async ({ marker, step }) => {
    const order = { customer_id, reference: marker, lines: [{ product_id, qty: '1' }] };
    const { id } = await step('order', '/api/sales/sales-order/store', order);
    await step('confirmation', `/api/sales/sales-order/update/${id}`, { status: 'confirmed' });
    const { id: other } = await step('another order', '/api/sales/sales-order/store', order);
    await step('reservation', `/api/sales/sales-order/update/${other}`, { status: 'confirmed' });
    await step('cancellation', `/api/sales/sales-order/update/${other}`, { status: 'cancelled' });
  };

/** Accepts a proposal and converts it to a draft invoice. */
export const convertProposal =
  ({ product_id, customer_id }: Business): Task =>
  async ({ marker, step }) => {
    const proposal = { customer_id, notes: marker, valid_until: '2099-12-31', lines: [{ product_id, qty: '1' }] };
    const { id } = await step('proposal', '/api/sales-proposal/create', proposal);
    await step('sending', `/api/sales-proposal/sent/${id}`);
    await step('acceptance', `/api/sales-proposal/accept/${id}`);
    await step('proposal conversion', `/api/sales-proposal/convert-to-invoice/${id}`);
  };

/** Corrects stock, and transfers it to the other warehouse and in the opposite direction. */
export const correctAndTransferStock =
  ({ product_id, warehouse_id: here, other_warehouse_id: there }: Business): Task =>
  async ({ marker, step }) => {
    const found = { product_id, warehouse_id: here, qty: '5', unit_cost: '4.00', note: marker };
    await step('adjustment', '/api/product-stock/add', found);
    const lines = [{ product_id, qty: '4' }];
    const away = { from_warehouse_id: here, to_warehouse_id: there, note: marker, lines };
    await step('transfer', '/api/transfer/create', away);
    const back = { from_warehouse_id: there, to_warehouse_id: here, note: marker, lines };
    const { id } = await step('transfer back', '/api/transfer/create', back);
    await step('undoing', `/api/transfer/delete/${id}`, undefined, { method: 'DELETE' });
  };
