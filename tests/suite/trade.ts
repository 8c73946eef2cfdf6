/** Buys and sells in a workspace, to create the records that only business produces. */
import type { RecordIds } from './draft.ts';
import type { HttpCaller, Reply } from '@suite/testing';
import type { SignedIn } from '@suite/testing/suite/http-caller';

interface CreatedDocument {
  id: string;
  lines: { id: string }[];
}
export type Send = (path: string, body?: object) => Promise<CreatedDocument>;

const INVOICED = '2026-03-02';
const LATER = '2026-03-06';

/** Sends a request that must succeed. @throws an Error with the unexpected response */
export const sendAs =
  (person: { post(path: string, body?: object): Promise<Reply> }): Send =>
  async (path, body = {}) => {
    const { status, body: answer } = await person.post(path, body);
    if (status >= 300) throw new Error(`${path} returned ${status}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
export const firstOf = async (person: HttpCaller, path: string): Promise<string> =>
  (await person.get(path)).body.data[0].id;

/** Creates a posted invoice. Returns its ID and the IDs of its lines. */
async function invoice(
  person: HttpCaller,
  kind: 'sales' | 'purchase',
  body: object,
): Promise<{ id: string; line: string }> {
  const send = sendAs(person);
  const { id } = await send(`/api/${kind}-invoice/create`, { invoice_date: INVOICED, ...body });
  await send(`/api/${kind}-invoice/post/${id}`);
  const { lines }: CreatedDocument = (await person.get(`/api/${kind}-invoice/show/${id}`)).body.data;
  return { id, line: String(lines[0]?.id) };
}

async function createReturn(send: Send, kind: string, { id: invoice_id, line }: { id: string; line: string }) {
  const lines = [{ invoice_line_id: line, qty: '2' }];
  const back = await send(`/api/${kind}/create`, { invoice_id, return_date: LATER, reason: 'defective', lines });
  for (const step of ['approve', 'complete']) await send(`/api/${kind}/${step}/${back.id}`);
}

async function payInvoice(person: HttpCaller, kind: 'revenue' | 'expense', more: object): Promise<void> {
  const send = sendAs(person);
  const category_id = await firstOf(person, `/api/${kind}-categories`);
  const bank_account_id = await firstOf(person, '/api/bank-accounts');
  const cash = await send(`/api/${kind}s/create`, {
    date: LATER,
    category_id,
    bank_account_id,
    amount: '30.00',
    ...more,
  });
  for (const step of ['approve', 'post']) await send(`/api/${kind}s/${step}/${cash.id}`);
}

/** Creates an agent who sells for a commission. Returns their agent ID. */
async function appointAgent(person: SignedIn, word: string): Promise<string> {
  const send = sendAs(person);
  const { id: plan_id } = await send('/api/commission-plan/create', {
    name: `${word} plan`,
    type: 'percent',
    rate: '5',
  });
  const agent = { user_id: person.user.id, name: `${word} agent`, code: word, plan_id };
  return (await send('/api/agent/create', agent)).id;
}

/**
 * Sells goods, receives the money, takes the goods as a return and refunds a part of the note. The remainder is a
 * credit of the customer.
 */
async function refundReturn(person: SignedIn, customer_id: string, line: object): Promise<void> {
  const send = sendAs(person);
  const sold = await invoice(person, 'sales', { customer_id, lines: [{ ...line, qty: '2' }] });
  const all = { customer_id, amount: '24.00', invoice_allocations: [{ invoice_id: sold.id, amount: '24.00' }] };
  await payInvoice(person, 'revenue', all);
  await createReturn(send, 'sales-invoice-return', sold);
  const bank_account_id = await firstOf(person, '/api/bank-accounts');
  const note_id = await firstOf(person, '/api/credit-notes');
  await send(`/api/credit-notes/refund/${note_id}`, { bank_account_id, amount: '10.00' });
}

/** Refunds part of a customer or vendor advance. Returns the ID of the refund. */
async function refundAdvance(person: SignedIn, kind: 'customer' | 'vendor', id: string): Promise<string> {
  await payInvoice(person, kind === 'customer' ? 'revenue' : 'expense', { [`${kind}_id`]: id, kind: 'payment' });
  const bank_account_id = await firstOf(person, '/api/bank-accounts');
  const path = `/api/${kind}-payments`;
  await sendAs(person)(`${path}/refund/${await firstOf(person, path)}`, { bank_account_id, amount: '10.00' });
  return (await person.get(`${path}?expand=refunds`)).body.data[0].refunds[0].id;
}

/** Sells two pieces of a product at the POS, and refunds one. */
async function createPosOrder(send: Send, product_id: string): Promise<void> {
  const payments = [{ method: 'cash', amount: '100.00' }];
  const { id, lines } = await send('/api/pos/create', { lines: [{ product_id, qty: '2' }], payments });
  await send(`/api/pos/refund/${id}`, { lines: [{ line_id: lines[0]?.id, qty: '1' }] });
}

/** Buys, sells, pays and partly returns one product, on both sides. Returns the records for further use. */
export async function tradeOneProduct(person: SignedIn, word: string): Promise<RecordIds> {
  const send = sendAs(person);
  const tax_ids = [(await send('/api/tax/create', { name: `${word} tax`, rate: '20' })).id];
  const bell = { name: `${word} bell`, sku: word, sale_price: '20.00', tax_ids };
  const { id: product_id } = await send('/api/product/create', bell);
  const { id: customer_id } = await send('/api/customers/create', { name: `${word} customer` });
  const { id: vendor_id } = await send('/api/vendors/create', { name: `${word} vendor` });
  const line = { product_id, unit_price: '10.00' };
  // An open item in a foreign currency, for the revaluation.
  const foreign = { currency: 'USD', opening_balance: '10.00', opening_date: INVOICED, opening_rate: '0.9' };
  await send('/api/customers/create', { name: `${word} abroad`, ...foreign });

  const bill = await invoice(person, 'purchase', {
    vendor_id,
    vendor_reference: word,
    lines: [{ ...line, qty: '2000' }],
  });
  const agent_id = await appointAgent(person, word);
  const sold = await invoice(person, 'sales', { customer_id, agent_id, lines: [{ ...line, qty: '15' }] });
  await createReturn(send, 'sales-invoice-return', sold);
  await createReturn(send, 'purchase-return', bill);
  await payInvoice(person, 'revenue', { customer_id, invoice_allocations: [{ invoice_id: sold.id, amount: '30.00' }] });
  await payInvoice(person, 'expense', { vendor_id, bill_allocations: [{ invoice_id: bill.id, amount: '30.00' }] });
  await refundReturn(person, customer_id, line);
  const [paid] = (await person.get('/api/customer-payments?expand=allocations')).body.data;
  const vendor_payment = await firstOf(person, '/api/vendor-payments');
  const customer_refund = await refundAdvance(person, 'customer', customer_id);
  const vendor_refund = await refundAdvance(person, 'vendor', vendor_id);
  await createPosOrder(send, product_id);
  const order = await send('/api/sales/sales-order/store', { customer_id, lines: [{ product_id, qty: '1' }] });
  await send(`/api/sales/sales-order/update/${order.id}`, { status: 'confirmed' });

  return new Map([
    ['product', [product_id]],
    ['customer', [customer_id]],
    ['vendor', [vendor_id]],
    ['customer_statement', [customer_id]],
    ['vendor_statement', [vendor_id]],
    ['posted_sales_invoice', [sold.id]],
    ['posted_purchase_invoice', [bill.id]],
    ['customer_payment', [paid.id]],
    ['allocation', [paid.allocations[0].id]],
    ['vendor_payment', [vendor_payment]],
    ['customer_refund', [customer_refund]],
    ['vendor_refund', [vendor_refund]],
    ['credit_note', [await firstOf(person, '/api/credit-notes')]],
    ['debit_note', [await firstOf(person, '/api/debit-notes')]],
    ['bank_transaction', [await firstOf(person, '/api/bank-transactions')]],
    ['commission', [await firstOf(person, '/api/commissions')]],
    ['sales_invoice_line', [sold.line]],
    ['purchase_invoice_line', [bill.line]],
  ]);
}
