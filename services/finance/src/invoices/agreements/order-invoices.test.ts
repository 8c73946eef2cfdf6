import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { connectRpc } from '@suite/chassis/testing';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { keysOf, forwardedCaller, runConcurrently } from '@suite/testing';
import { expectCleanBooks } from '../../../test/audit.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';
import { orderFactory, text } from '../../../test/order-requests.ts';
import { tradingSteps } from '../../../test/trade.ts';

const { serving, inventory, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));
let ours: Company;
let trade: ReturnType<typeof tradingSteps>;
beforeEach(async () => {
  ours = await company();
  trade = tradingSteps(ours, inventory);
});
const definition = { definition: FinanceServiceDefinition, address: `127.0.0.1:${serving.grpc_port}` };
const rpc = connectRpc({ finance: definition }, keysOf('crm'));
afterAll(() => rpc.close());
const financeClient = () => rpc.as(forwardedCaller('crm', ours.owner.caller), randomUUID()).finance;
const order = (...args: Parameters<ReturnType<typeof orderFactory>>) => orderFactory(financeClient(), trade)(...args);

const amount = (value: string) => ({ type: 'amount', value });

const change = (id: string, body: object) => ours.owner.post(`/api/sales-invoice/update/${id}`, body);
const readInvoice = async (id: string) => (await trade.show('sales-invoice', id)).body.data;
const post = (id: string, body: object = {}, query = '') =>
  ours.owner.post(`/api/sales-invoice/post/${id}${query}`, body);
const total = async (id: string): Promise<string> => (await readInvoice(id)).total;

describe('invoices of an order', () => {
  test('share a fixed discount of the order in proportion, and add up to it', async () => {
    const product_id = trade.product({ type: 'service', track_stock: false });
    const { convert } = await order([{ product_id, qty: '10', unit_price: '100' }], { discount: amount('100') });
    const keep = (qty: string) => ({ lines: [{ product_id, qty, unit_price: '100', tax_ids: [] }] });
    const first = await convert();
    expect(await readInvoice(first)).toMatchObject({ total: '900.00', discount: { value: '100.00' } });
    expect(await change(first, keep('2'))).toMatchObject({ status: 200, body: { data: { total: '180.00' } } });
    expect((await post(first)).status).toBe(200);
    const second = await convert();
    expect(await readInvoice(second)).toMatchObject({ total: '720.00', discount: { value: '80.00' } });
    expect(await change(second, keep('3'))).toMatchObject({ body: { data: { total: '270.00' } } });
    expect((await post(second)).status).toBe(200);
    const third = await convert();
    expect(await readInvoice(third)).toMatchObject({ total: '450.00', discount: { value: '50.00' } });
    expect((await post(third)).status).toBe(200);
    await expect(financeClient().createDraftInvoice((await order([text('A', '1')])).request())).resolves.toBeDefined();
    await expect(convert()).rejects.toMatchObject({ status: 409, code: 'nothing_to_invoice' });
  });

  test.each([
    ['left out', {}, ['273.00', '637.00']],
    ['repeated in full', { discount: amount('90') }, ['210.00', '700.00']],
    ['removed', { discount: null }, ['300.00', '610.00']],
  ])('add up to 910.00 when the fixed discount of the line is %s', async (_, more, expected) => {
    const { convert } = await order([{ ...text('Engine', '100', '10'), discount: amount('90') }]);
    const first = await convert();
    await change(first, { lines: [{ description: 'Engine', qty: '3', unit_price: '100', tax_ids: [], ...more }] });
    expect((await post(first)).status).toBe(200);
    const second = await convert();
    expect([await total(first), await total(second)]).toEqual(expected);
  });

  test('add up to the order after two drafts exchanged quantities', async () => {
    const line = { ...text('Engine', '99.99', '10'), discount: { type: 'percent', value: '33.33' } };
    const { convert } = await order([line]);
    const keep = (qty: string) => ({ lines: [{ description: 'Engine', qty, unit_price: '99.99', tax_ids: [] }] });
    const first = await convert();
    await change(first, keep('3'));
    const second = await convert();
    await change(first, keep('5'));
    await change(second, keep('5'));
    expect([await total(first), await total(second)]).toEqual(['333.32', '333.31']);
    for (const id of [second, first]) expect((await post(id)).status).toBe(200);
    expect([await total(first), await total(second)]).toEqual(['333.32', '333.31']);
  });

  test('get their part of a fixed discount at posting if the other draft was deleted', async () => {
    const { convert } = await order([text('Engine', '10', '6')], { discount: amount('6') });
    const keep = (qty: string) => ({ lines: [{ description: 'Engine', qty, unit_price: '10', tax_ids: [] }] });
    const first = await convert();
    await change(first, keep('1'));
    const second = await convert();
    await change(second, keep('6'));
    expect(await total(second)).toBe('55.00');
    expect((await ours.owner.delete(`/api/sales-invoice/delete/${first}`)).status).toBe(200);
    const planned = await post(second, {}, '?dry_run=true');
    expect([planned.status, planned.body.data.total, await total(second)]).toEqual([200, '54.00', '55.00']);
    expect((await post(second)).body.data).toMatchObject({ total: '54.00', discount: amount('6.00') });
    expect(await total(second)).toBe('54.00');
  });

  test('bill free text by the referenced order line', async () => {
    const { convert, source_ids } = await order([text('setup', '500'), text('training', '200')]);
    const first = await convert();
    const line = { description: 'training', qty: '1', unit_price: '200', tax_ids: [] };
    expect((await change(first, { lines: [line] })).body.data.lines).toMatchObject([
      { source_line: { type: 'sales_order', id: source_ids[1] } },
    ]);
    expect((await post(first)).status).toBe(200);
    const second = await convert();
    expect(await readInvoice(second)).toMatchObject({ total: '500.00', lines: [{ description: 'setup' }] });
  });

  test('leave a line open if another text replaces it', async () => {
    const { convert } = await order([text('setup', '500')]);
    const first = await convert();
    const freight = { description: 'freight', qty: '1', unit_price: '9', tax_ids: [] };
    expect((await change(first, { lines: [freight] })).body.data.lines).toMatchObject([{ source_line: null }]);
    expect((await post(first)).status).toBe(200);
    expect(await total(await convert())).toBe('500.00');
  });

  test('keep the link of a line referenced by ID or source, even with a new text', async () => {
    const { convert, source_ids } = await order([text('setup', '500'), text('training', '200')]);
    const id = await convert();
    const { lines } = await readInvoice(id);
    const changed = { id: lines[0].id, description: 'Set-up of the server', qty: '1', unit_price: '500' };
    const source_line = { type: 'sales_order', id: source_ids[1] };
    const named = { description: 'Course', qty: '1', unit_price: '200', source_line };
    expect((await change(id, { lines: [changed, named] })).body.data.lines).toMatchObject([
      { id: lines[0].id, source_line: { id: source_ids[0] } },
      { source_line },
    ]);
    for (const wrong of [{ id: randomUUID() }, { source_line: { type: 'sales_order', id: randomUUID() } }]) {
      const reply = await change(id, { lines: [{ description: 'X', qty: '1', unit_price: '1', ...wrong }] });
      expect(reply).toMatchObject({
        status: 422,
        body: { errors: { [`lines.0.${Object.keys(wrong)[0]!}`]: [expect.any(String)] } },
      });
    }
    expect(await change(id, { lines: [changed, changed] })).toMatchObject({ status: 422 });
  });

  test('return the draft when repeated, and bill the remainder of a reduced draft', async () => {
    const { convert } = await order([text('Engine', '100', '10')]);
    const drafts = await runConcurrently(10, convert);
    expect(new Set(drafts).size).toBe(1);
    await change(drafts[0]!, { lines: [{ description: 'Engine', qty: '4', unit_price: '100' }] });
    const next = await convert();
    expect([next === drafts[0], await total(next)]).toEqual([false, '600.00']);
    expect(await ours.owner.delete(`/api/sales-invoice/delete/${drafts[0]}`)).toMatchObject({ status: 200 });
    expect(await total(await convert())).toBe('400.00');
  });

  test('reopen quantities when an invoice is cancelled', async () => {
    const { convert } = await order([text('Engine', '100', '10')], { discount: amount('33.33') });
    const first = await convert();
    await post(first);
    await trade.act('sales-invoice', 'cancel', first);
    expect(await total(await convert())).toBe('966.67');
  });
});

test('a proposal has one invoice at a time, and a new full one after cancellation', async () => {
  const proposal_id = randomUUID();
  const source = { type: 'proposal', id: randomUUID() };
  const origins = { sales_order_id: '', proposal_id, sequence: 0, discount: amount('33.33') };
  const { request } = await order([{ ...text('Engine', '100', '10'), source }], origins);
  const first = (await financeClient().createDraftInvoice(request())).sales_invoice_id;
  expect((await post(first)).status).toBe(200);
  await expect(financeClient().createDraftInvoice(request())).rejects.toMatchObject({ code: 'nothing_to_invoice' });
  await trade.act('sales-invoice', 'cancel', first);
  const second = (await financeClient().createDraftInvoice(request())).sales_invoice_id;
  expect(await readInvoice(second)).toMatchObject({ status: 'draft', total: '966.67', proposal_id });
  expect((await post(second)).status).toBe(200);
});

describe('an invoice for more than was ordered', () => {
  async function exceeding() {
    const { convert } = await order([text('Engine', '100', '2')]);
    const id = await convert();
    await change(id, { lines: [{ description: 'Engine', qty: '3', unit_price: '100' }] });
    return id;
  }

  test.each(['', '?dry_run=true'])('is rejected with the lines, unless it is allowed %s', async (query) => {
    const id = await exceeding();
    expect(await post(id, {}, query)).toMatchObject({
      status: 409,
      body: { code: 'over_invoiced', details: { lines: [{ ordered_qty: '2', invoiced_qty: '0', qty: '3' }] } },
    });
    expect(await post(id, { allow_over_invoicing: true }, query)).toMatchObject({
      status: 200,
      body: {
        data: { total: '300.00', allow_over_invoicing: true, effects: { warnings: [{ code: 'over_invoiced' }] } },
      },
    });
  });

  test('can be allowed on the draft, too', async () => {
    const id = await exceeding();
    expect((await change(id, { allow_over_invoicing: true })).body.data).toMatchObject({ allow_over_invoicing: true });
    expect((await post(id)).status).toBe(200);
  });

  test('is not posted by two concurrent drafts', async () => {
    const { convert } = await order([text('Engine', '100', '4')]);
    const lines = [{ description: 'Engine', qty: '2', unit_price: '100' }];
    const one = await convert();
    await change(one, { lines });
    const other = await convert();
    for (const id of [one, other]) await change(id, { lines: [{ ...lines[0], qty: '3' }] });
    const replies = await runConcurrently(2, (at) => post(at ? one : other));
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

test.each([
  ['a higher price', { unit_price: '100.01' }, []],
  ['an additional line', {}, [{ description: 'Freight', qty: '1', unit_price: '9' }]],
])('an invoice with %s posts with a warning that it exceeds its order', async (_, terms, more) => {
  const { convert } = await order([text('Engine', '100', '2')]);
  const first = await convert();
  const engine = { description: 'Engine', qty: '1', unit_price: '100' };
  await change(first, { lines: [engine] });
  expect((await post(first)).body.data.effects.warnings).toEqual([]);
  const id = await convert();
  await change(id, { lines: [{ ...engine, ...terms }, ...more] });
  for (const query of ['?dry_run=true', ''])
    expect(await post(id, {}, query)).toMatchObject({
      status: 200,
      body: { data: { effects: { warnings: [{ code: 'above_order' }] } } },
    });
});

describe('a draft of an order', () => {
  test('cannot change its customer or currency', async () => {
    const { convert, sales_order_id } = await order([text('Engine', '100')]);
    const id = await convert();
    const { id: customer_id } = await trade.customer();
    for (const body of [{ customer_id }, { currency: 'USD', rate: '1.1' }])
      expect(await change(id, body)).toMatchObject({
        status: 409,
        body: { code: 'derived_draft', details: { sales_order_id } },
      });
  });

  test('is deleted when the order ends, and not recreated by a late request', async () => {
    const { convert, request, sales_order_id } = await order([text('Engine', '100')]);
    const late = request();
    const id = await convert();
    const stop = (sequence: number, unless_invoiced = false) =>
      financeClient().stopInvoicing({ idempotency_key: randomUUID(), sales_order_id, sequence, unless_invoiced });
    expect(await stop(3)).toEqual({ deleted_invoice_ids: [id], posted_invoice_ids: [] });
    expect(await trade.show('sales-invoice', id)).toMatchObject({ status: 404 });
    await expect(financeClient().createDraftInvoice(late)).rejects.toMatchObject({
      status: 409,
      code: 'invoicing_stopped',
    });
    await expect(convert()).rejects.toMatchObject({ code: 'invoicing_stopped' });
    const next = await convert();
    await post(next);
    expect(await stop(5, true)).toEqual({ deleted_invoice_ids: [], posted_invoice_ids: [next] });
  });

  test('needs a rate for a new currency, and later suggests the last rate and date', async () => {
    const foreign = { currency: 'CHF' };
    const { request } = await order([text('Engine', '100')], foreign);
    await expect(financeClient().createDraftInvoice({ ...request(), dry_run: true })).rejects.toMatchObject({
      status: 422,
      errors: { rate: [expect.any(String)] },
    });
    const made = await financeClient().createDraftInvoice({ ...request(), rate: '1.25' });
    expect(made).toMatchObject({ rate: '1.25', rate_date: '' });
    expect((await post(made.sales_invoice_id)).status).toBe(200);
    const other = await order([text('Engine', '100')], foreign);
    expect(await financeClient().createDraftInvoice(other.request())).toMatchObject({
      rate: '1.25',
      rate_date: '2026-03-10',
    });
    await expect(financeClient().createDraftInvoice({ ...other.request(), rate: '1.3' })).rejects.toMatchObject({
      code: 'other_draft',
    });
  });
});
