/** Buys and sells in a workspace, so that there is something of everything that only comes about by doing business. */
import type { Person } from './person.ts';
import type { Stock } from './draft.ts';

interface Thing {
  id: string;
  lines: { id: string }[];
}

/** One product bought, sold, paid and in part given back, on both sides. Returns what can be built on. */
export async function trade(person: Person, word: string): Promise<Stock> {
  const send = async <T = Thing>(path: string, body: object = {}): Promise<T> => {
    const { status, body: answer } = await person.post(path, body);
    if (status >= 300) throw new Error(`${path} answers ${status}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const first = async (path: string): Promise<string> => (await person.get(path)).body.data[0].id;
  const invoice_date = '2026-03-02';
  const tax_ids = [(await send('/api/tax/create', { name: `${word} tax`, rate: '20' })).id];
  const bell = { name: `${word} bell`, sku: word, sale_price: '20.00', tax_ids };
  const product_id = (await send('/api/product/create', bell)).id;
  const customer_id = (await send('/api/customers/create', { name: `${word} customer` })).id;
  const vendor_id = (await send('/api/vendors/create', { name: `${word} vendor` })).id;
  const lines = [{ product_id, qty: '2000', unit_price: '10.00' }];

  const bill = await send('/api/purchase-invoice/create', { vendor_id, invoice_date, vendor_reference: word, lines });
  await send(`/api/purchase-invoice/post/${bill.id}`);
  const sold = await send('/api/sales-invoice/create', {
    customer_id,
    invoice_date,
    lines: [{ ...lines[0], qty: '15' }],
  });
  await send(`/api/sales-invoice/post/${sold.id}`);
  const linesOf = async (kind: string, { id }: Thing) =>
    ((await person.get(`/api/${kind}/show/${id}`)).body.data as Thing).lines.map((line) => line.id);
  const bought = await linesOf('purchase-invoice', bill);
  const invoiced = await linesOf('sales-invoice', sold);

  const giveBack = async (kind: string, invoice: Thing, line_ids: string[]): Promise<void> => {
    const given = [{ invoice_line_id: line_ids[0], qty: '2' }];
    const back = await send(`/api/${kind}/create`, {
      ...{ invoice_id: invoice.id, return_date: '2026-03-05', reason: 'defective', lines: given },
    });
    for (const step of ['approve', 'complete']) await send(`/api/${kind}/${step}/${back.id}`);
  };
  await giveBack('sales-invoice-return', sold, invoiced);
  await giveBack('purchase-return', bill, bought);

  const bank_account_id = await first('/api/bank-accounts');
  const settle = async (kind: 'revenue' | 'expense', more: object): Promise<void> => {
    const category_id = await first(`/api/${kind}-categories`);
    const cash = await send(`/api/${kind}s/create`, {
      ...{ date: '2026-03-06', category_id, bank_account_id, amount: '30.00', ...more },
    });
    for (const step of ['approve', 'post']) await send(`/api/${kind}s/${step}/${cash.id}`);
  };
  await settle('revenue', { customer_id, invoice_allocations: [{ invoice_id: sold.id, amount: '30.00' }] });
  await settle('expense', { vendor_id, bill_allocations: [{ invoice_id: bill.id, amount: '30.00' }] });

  const ordered = [{ product_id, qty: '1' }];
  const order = await send('/api/sales/sales-order/store', { customer_id, lines: ordered });
  await send(`/api/sales/sales-order/update/${order.id}`, { status: 'confirmed' });
  return new Map([
    ['product', [product_id]],
    ['customer', [customer_id]],
    ['vendor', [vendor_id]],
    ['customer_statement', [customer_id]],
    ['vendor_statement', [vendor_id]],
    ['posted_sales_invoice', [sold.id]],
    ['posted_purchase_invoice', [bill.id]],
    ['customer_payment', [await first('/api/customer-payments')]],
    ['vendor_payment', [await first('/api/vendor-payments')]],
    ['bank_transaction', [await first('/api/bank-transactions')]],
    ['sales_invoice_line', invoiced],
    ['purchase_invoice_line', bought],
  ]);
}
