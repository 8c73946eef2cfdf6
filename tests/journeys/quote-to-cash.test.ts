import { beforeAll, describe, expect, test } from '@jest/globals';
import { dataOf, pagesOf, imagesOf } from '@suite/testing';
import { findAllViolations } from '@suite/tools/audit';
import { waitFor } from '@suite/testing/waiting';
import { initialRecords } from '../suite/create-one-of-each.ts';
import { formWith, type SignedIn } from '@suite/testing/suite/http-caller';
import { useSharedSuite } from '@suite/testing/suite/started';
import { openWorkspace } from '@suite/testing/suite/workspace';

/**
 * A product from the catalogue through quote, order, proposal and invoice to payment, to the cent. The amounts
 * match the worked examples G1, G8, G9, G11 and G12.
 */
const suite = await useSharedSuite();
const DAY = '2026-03-02';
const LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAIAAADwyuo0AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEElEQVQImWPgLmqFIwZkDgBlGggRnwepGAAAAABJRU5ErkJggg==';

let owner: SignedIn;
let product_id: string;
let service_id: string;
let customer_id: string;
let warehouse_id: string;
let bank_account_id: string;
let category_id: string;
let order_id: string;
let proposal_id: string;
let invoice_id: string;

const post = (path: string, body: object = {}) => dataOf(owner.post(path, body));
const stock = async () => (await dataOf(owner.get(`/api/product-stocks?product_id=${product_id}`)))[0];
const invoice = () => dataOf(owner.get(`/api/sales-invoice/show/${invoice_id}`));

/** Returns three bells at 19.99 less 10 %, and a service of 100.00, with 20 % tax. */
const lines = () => [
  { product_id, qty: '3', discount: { type: 'percent', value: '10' } },
  { product_id: service_id, qty: '1' },
];
const TOTALS = { subtotal: '159.97', discount_total: '6.00', net_total: '153.97', tax_total: '30.79', total: '184.76' };

interface JournalLine {
  account: string;
  debit: string;
  credit: string;
}

/** Returns the posted entries by account. */
const sides = (booked: (JournalLine & { code?: string })[]) =>
  booked.map(({ debit, credit }) => [debit, credit]).toSorted((one, other) => String(one).localeCompare(String(other)));

beforeAll(async () => {
  const acme = await openWorkspace(suite);
  ({ owner } = acme);
  const given = await initialRecords(owner);
  [warehouse_id, bank_account_id] = ['warehouse', 'bank_account'].map((noun) => String(given.get(noun)?.[0])) as [
    string,
    string,
  ];
  const [gl_account_id] = given.get('revenue_account') ?? [];
  ({ id: category_id } = await post('/api/revenue-categories/create', { name: 'Receipts', gl_account_id }));
  const tax = await post('/api/tax/create', { name: 'VAT 20 %', rate: '20' });
  const common = { tax_ids: [tax.id] };
  ({ id: product_id } = await post('/api/product/create', {
    ...common,
    name: 'Bicycle bell',
    sku: 'BELL',
    type: 'product',
    sale_price: '19.99',
    purchase_price: '5.00',
  }));
  ({ id: service_id } = await post('/api/product/create', {
    ...common,
    name: 'Fitting',
    sku: 'FIT',
    type: 'service',
    sale_price: '100.00',
  }));
  ({ id: customer_id } = await post('/api/customers/create', { name: 'Grace Hopper', email: 'grace@example.test' }));
}, 600_000);

describe('a sale from catalogue to ledger', () => {
  test('receives stock at its cost: ten at 5.00 and five at 6.50 are fifteen at 5.50', async () => {
    for (const [qty, unit_cost] of [
      ['10', '5.00'],
      ['5', '6.50'],
    ])
      await post('/api/product-stock/add', { product_id, warehouse_id, qty, unit_cost, reason: 'opening' });
    expect(await stock()).toMatchObject({ on_hand: '15', value: '82.50', average_cost: '5.50' });
  });

  test('turns a sent and accepted quote into an order that reserves goods', async () => {
    const quote = await post('/api/sales/quotes/store', { customer_id, expiry_date: '2099-12-31', lines: lines() });
    expect(quote).toMatchObject({ status: 'draft', ...TOTALS });
    for (const status of ['sent', 'accepted']) await post(`/api/sales/quotes/update/${quote.id}`, { status });
    const order = await post('/api/sales/sales-order/store', { quote_id: quote.id, warehouse_id });
    order_id = order.id;
    expect(order).toMatchObject({ status: 'draft', total: '184.76', customer_id });
    const confirmed = await post(`/api/sales/sales-order/update/${order_id}`, { status: 'confirmed' });
    expect(confirmed).toMatchObject({ status: 'confirmed', pending_effects: [] });
    expect(await stock()).toMatchObject({ on_hand: '15', reserved: '3', available: '12' });
  });

  test('releases the goods of a cancelled order', async () => {
    await post(`/api/sales/sales-order/update/${order_id}`, { status: 'cancelled' });
    await waitFor(async () => expect(await stock()).toMatchObject({ reserved: '0', available: '15' }), 20_000);
  });

  test('turns an accepted proposal into one draft invoice for repeated requests', async () => {
    const proposal = await post('/api/sales-proposal/create', {
      customer_id,
      valid_until: '2099-12-31',
      lines: lines(),
    });
    proposal_id = proposal.id;
    expect(proposal).toMatchObject({ status: 'draft', ...TOTALS });
    await post(`/api/sales-proposal/sent/${proposal_id}`);
    await post(`/api/sales-proposal/accept/${proposal_id}`);
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => post(`/api/sales-proposal/convert-to-invoice/${proposal_id}`)),
    );
    const ids = new Set(replies.map((reply) => reply.invoice_id));
    expect(ids.size).toBe(1);
    invoice_id = replies[0].invoice_id;
    expect(await invoice()).toMatchObject({ status: 'draft', number: null, proposal_id, ...TOTALS });
    await post(`/api/sales-invoice/update/${invoice_id}`, { invoice_date: DAY, warehouse_id });
  });

  test('returns the effects of posting in a dry run, and stores nothing', async () => {
    const foretold = await post(`/api/sales-invoice/post/${invoice_id}?dry_run=true`);
    expect(sides(foretold.effects.journal_lines)).toEqual(
      sides([
        { account: 'receivable', debit: '184.76', credit: '0.00' },
        { account: 'sales', debit: '0.00', credit: '153.97' },
        { account: 'tax_output', debit: '0.00', credit: '30.79' },
        { account: 'cogs', debit: '16.50', credit: '0.00' },
        { account: 'inventory', debit: '0.00', credit: '16.50' },
      ]),
    );
    expect(await invoice()).toMatchObject({ status: 'draft', number: null, journal_id: null });
    expect(await stock()).toMatchObject({ on_hand: '15' });
  });

  test('numbers a posted invoice, moves its goods and posts its entry, once', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => post(`/api/sales-invoice/post/${invoice_id}`)));
    expect(new Set(replies.map(({ number }) => number))).toEqual(new Set(['INV-2026-00001']));
    expect(await invoice()).toMatchObject({ status: 'posted', balance_due: '184.76', pending_effects: [] });
    expect(await stock()).toMatchObject({ on_hand: '12', value: '66.00', average_cost: '5.50' });
  });

  test('prints invoice and proposal as PDF, with the name and logo of the sender', async () => {
    const logo = new File([Buffer.from(LOGO, 'base64')], 'logo.png');
    await dataOf(owner.upload('/api/workspace/logo', formWith('logo', logo)));
    await dataOf(owner.put('/api/workspace/update', { name: 'Bells & Sons', address: 'High Street 1\nLeeds' }));
    for (const path of [`/api/sales-invoice/show/${invoice_id}`, `/api/sales-proposal/show/${proposal_id}`]) {
      const { headers, content } = await owner.get(path, { headers: { accept: 'application/pdf' } });
      expect(headers.get('content-type')).toBe('application/pdf');
      const text = (await pagesOf(content)).join(' ');
      for (const each of ['High Street 1', 'Grace Hopper', 'Bicycle bell', '153.97', '30.79', '184.76 EUR'])
        expect(text).toContain(each);
      expect(await imagesOf(content)).toEqual([{ width: 4, height: 2 }]);
    }
  });

  test('rejects a sale of more than the available stock, and moves nothing', async () => {
    const draft = await post('/api/sales-invoice/create', {
      customer_id,
      invoice_date: DAY,
      warehouse_id,
      lines: [
        { product_id, qty: '6' },
        { product_id, qty: '7' },
      ],
    });
    const refused = await owner.post(`/api/sales-invoice/post/${draft.id}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'insufficient_stock' } });
    expect(refused.body.details.lines[0]).toMatchObject({ available: '12' });
    expect(await stock()).toMatchObject({ on_hand: '12' });
    await dataOf(owner.delete(`/api/sales-invoice/delete/${draft.id}`));
  });

  const draftPayment = (amount: string) =>
    owner.post('/api/revenues/create', {
      date: DAY,
      category_id,
      bank_account_id,
      customer_id,
      amount,
      invoice_allocations: [{ invoice_id, amount }],
    });

  const pay = async (amount: string) => {
    const revenue = await dataOf(draftPayment(amount));
    await post(`/api/revenues/approve/${revenue.id}`);
    return await owner.post(`/api/revenues/post/${revenue.id}`);
  };

  test('settles part of the invoice with a payment', async () => {
    expect((await pay('100.00')).status).toBe(200);
    expect(await invoice()).toMatchObject({ status: 'partially_paid', paid: '100.00', balance_due: '84.76' });
  });

  test('returns a piece to stock at its cost, and reduces the outstanding amount', async () => {
    const [{ id: invoice_line_id }] = (await invoice()).lines;
    const back = (qty: string) => ({
      invoice_id,
      return_date: DAY,
      reason: 'defective',
      lines: [{ invoice_line_id, qty }],
    });
    const given = await post('/api/sales-invoice-return/create', back('1'));
    expect(given).toMatchObject({ status: 'draft', net_total: '17.99', tax_total: '3.60', total: '21.59' });
    await post(`/api/sales-invoice-return/approve/${given.id}`);
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => post(`/api/sales-invoice-return/complete/${given.id}`)),
    );
    expect(new Set(replies.map(({ credit_note_id }) => credit_note_id)).size).toBe(1);
    expect(await invoice()).toMatchObject({ credited: '21.59', balance_due: '63.17' });
    expect(await stock()).toMatchObject({ on_hand: '13', value: '71.50' });
    expect(await owner.post('/api/sales-invoice-return/create', back('3'))).toMatchObject({ status: 422 });
  });

  test('accepts payment of the rest, and nothing beyond', async () => {
    expect((await pay('63.17')).status).toBe(200);
    expect(await invoice()).toMatchObject({ status: 'paid', payment_status: 'paid', balance_due: '0.00' });
    expect(await draftPayment('0.01')).toMatchObject({ status: 409, body: { code: 'over_allocated' } });
  });

  test('invoices an order in parts, from goods that are reserved for it only', async () => {
    const order = await post('/api/sales/sales-order/store', {
      customer_id,
      warehouse_id,
      lines: [{ product_id, qty: '13' }],
    });
    await post(`/api/sales/sales-order/update/${order.id}`, { status: 'confirmed' });
    expect(await stock()).toMatchObject({ on_hand: '13', reserved: '13', available: '0' });
    const lines = (qty: string) => [{ product_id, qty }];
    const other = await post('/api/sales-invoice/create', {
      customer_id,
      invoice_date: DAY,
      warehouse_id,
      lines: lines('1'),
    });
    const refused = await owner.post(`/api/sales-invoice/post/${other.id}`);
    expect(refused).toMatchObject({ status: 409, body: { details: { lines: [{ available: '0' }] } } });

    const toInvoice = () => post(`/api/sales/sales-order/convert-to-invoice/${order.id}`);
    const progress = () => dataOf(owner.get(`/api/sales/sales-orders/${order.id}`));
    const first = (await toInvoice()).invoice_id;
    expect((await toInvoice()).invoice_id).toBe(first);
    await post(`/api/sales-invoice/update/${first}`, { invoice_date: DAY, lines: lines('5') });
    expect(await post(`/api/sales-invoice/post/${first}`)).toMatchObject({ sales_order_id: order.id });
    expect(await stock()).toMatchObject({ on_hand: '8', reserved: '8' });
    const partial = { status: 'confirmed', invoice_status: 'partial', fulfilment_status: 'partial' };
    await waitFor(async () => expect(await progress()).toMatchObject(partial), 20_000);

    const second = (await toInvoice()).invoice_id;
    expect(second).not.toBe(first);
    await post(`/api/sales-invoice/post/${second}`);
    expect(await stock()).toMatchObject({ on_hand: '0', reserved: '0' });
    const whole = { status: 'completed', invoice_status: 'full', fulfilment_status: 'full' };
    await waitFor(async () => expect(await progress()).toMatchObject(whole), 60_000);
  }, 240_000);

  test('balances the books, and passes the integrity checks', async () => {
    const { debit_total, credit_total, difference } = await dataOf(owner.get('/api/accounting/trial-balance'));
    expect({ debit_total, difference }).toEqual({ debit_total: credit_total, difference: '0.00' });
    expect(Number(debit_total)).toBeGreaterThan(0);
    await waitFor(async () => {
      expect(await dataOf(owner.get('/api/accounting/integrity'))).toMatchObject({ sound: true });
    }, 60_000);
  });

  test('leaves books in which the auditor finds no fault', async () => {
    expect(await findAllViolations(suite)).toEqual([]);
  }, 240_000);
});
