/** Tests that archived customers, products and taxes do not block what was agreed or posted before. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { connectRpc } from '@suite/chassis/testing';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { keysOf, forwardedCaller } from '@suite/testing';
import { expectCleanBooks } from '../../../test/audit.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';
import { orderFactory } from '../../../test/order-requests.ts';
import { tradingSteps } from '../../../test/trade.ts';

const { serving, inventory, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));
let ours: Company;
let trade: ReturnType<typeof tradingSteps>;
let product_id: string;
let tax_id: string;
beforeEach(async () => {
  ours = await company();
  trade = tradingSteps(ours, inventory);
  tax_id = trade.tax({ rate: '10' }).tax_id;
  product_id = trade.product({}, { on_hand: 10, value: '50.00' });
});
const definition = { definition: FinanceServiceDefinition, address: `127.0.0.1:${serving.grpc_port}` };
const rpc = connectRpc({ finance: definition }, keysOf('crm'));
afterAll(() => rpc.close());
const financeClient = () => rpc.as(forwardedCaller('crm', ours.owner.caller), randomUUID()).finance;

const PARTIES = { sales: 'customer', purchase: 'vendor' } as const;
type Side = keyof typeof PARTIES;

/** Archives the party, the product and the tax of the test. */
async function archive(side: Side, party_id: string): Promise<void> {
  inventory.products.get(product_id)!.active = false;
  inventory.taxes.get(tax_id)!.active = false;
  const reply = await ours.owner.post(`/api/${PARTIES[side]}s/update/${party_id}`, { active: false });
  expect(reply).toMatchObject({ status: 200, body: { data: { active: false } } });
}

const line = () => ({ product_id, qty: '2', unit_price: '10.00', tax_ids: [tax_id] });
const partyOf = async (side: Side): Promise<string> => (await trade[PARTIES[side]]()).id;

/** Creates a draft with a new party, or posts it. */
async function createInvoice(side: Side, party_id: string, isPosted: boolean) {
  const body = { [`${PARTIES[side]}_id`]: party_id, invoice_date: '2026-03-10', lines: [line()] };
  const { id } = (await trade.make(`${side}-invoice`, body)).body.data;
  if (isPosted) await trade.act(`${side}-invoice`, 'post', id);
  return (await trade.show(`${side}-invoice`, id)).body.data;
}

describe.each([
  ['sales order', { sales_order_id: randomUUID(), proposal_id: '' }, 'sales_order'],
  ['proposal', { sales_order_id: '', proposal_id: randomUUID(), sequence: 0 }, 'proposal'],
  ['billing run', { sales_order_id: '', proposal_id: '', sequence: 0 }, 'time'],
] as const)('an invoice of a %s', (_, origin, type) => {
  test('is created, changed and posted after its customer, product and tax were archived', async () => {
    const tax = { tax_id, name: 'VAT', rate: '10', kind: 'percent', inclusive: false, compound: false };
    const source = { type, id: randomUUID() };
    const { request } = await orderFactory(financeClient(), trade)(
      [{ product_id, qty: '2', taxes: [tax], source }],
      origin,
    );
    await archive('sales', request().customer_id);
    const { sales_invoice_id: id } = await financeClient().createDraftInvoice(request());
    const lines = [{ product_id, qty: '2', unit_price: '1', tax_ids: [tax_id] }];
    const changes = { warehouse_id: inventory.in(ours.workspace).warehouse(), ...(type !== 'time' && { lines }) };
    expect(await ours.owner.post(`/api/sales-invoice/update/${id}`, changes)).toMatchObject({
      status: 200,
      body: { data: { total: '2.20', lines: [{ product_id }] } },
    });
    expect(await trade.act('sales-invoice', 'post', id)).toMatchObject({ status: 200 });
  });
});

describe.each(['sales', 'purchase'] as const)('a draft of the side %s', (side) => {
  const update = (id: string, body: object) => ours.owner.post(`/api/${side}-invoice/update/${id}`, body);

  test('keeps its archived records, and is posted', async () => {
    const party_id = await partyOf(side);
    const { id } = await createInvoice(side, party_id, false);
    await archive(side, party_id);
    const same = { [`${PARTIES[side]}_id`]: party_id, lines: [{ ...line(), qty: '3' }] };
    expect(await update(id, same)).toMatchObject({ status: 200, body: { data: { total: '33.00' } } });
    expect(await trade.act(`${side}-invoice`, 'post', id)).toMatchObject({ status: 200 });
  });

  test.each<[string, () => Promise<object>]>([
    ['product_id', async () => ({ lines: [{ ...line(), product_id: trade.product({ active: false }) }] })],
    ['tax_ids', async () => ({ lines: [{ ...line(), tax_ids: [trade.tax({ active: false }).tax_id] }] })],
    [
      PARTIES[side],
      async () => {
        const other = await partyOf(side);
        await ours.owner.post(`/api/${PARTIES[side]}s/update/${other}`, { active: false });
        return { [`${PARTIES[side]}_id`]: other };
      },
    ],
  ])('rejects another archived record: %s', async (_, change) => {
    const { id } = await createInvoice(side, await partyOf(side), false);
    const { status, body } = await update(id, await change());
    expect([status, Object.values(body.errors)]).toEqual([422, [[expect.stringContaining('is archived')]]]);
  });

  test('cannot be created with an archived customer or vendor', async () => {
    const party_id = await partyOf(side);
    await archive(side, party_id);
    const lines = [{ description: 'Advice', qty: '1', unit_price: '10.00' }];
    const body = { [`${PARTIES[side]}_id`]: party_id, invoice_date: '2026-03-10', lines };
    const field = `${PARTIES[side]}_id`;
    expect(await trade.make(`${side}-invoice`, body)).toMatchObject({
      status: 422,
      body: { errors: { [field]: [expect.stringContaining('is archived')] } },
    });
  });
});

describe.each([
  ['sales', 'sales-invoice-return', 'revenue', 'invoice_allocations'],
  ['purchase', 'purchase-return', 'expense', 'bill_allocations'],
] as const)('an invoice of an archived party on the side of %s', (side, noun, cash, parts) => {
  test('is returned', async () => {
    const party_id = await partyOf(side);
    const { id: invoice_id, lines } = await createInvoice(side, party_id, true);
    await archive(side, party_id);
    const part = { invoice_line_id: lines[0].id, qty: '1' };
    const body = { invoice_id, return_date: '2026-03-20', reason: 'defective', lines: [part] };
    const { id } = (await trade.make(noun, body)).body.data;
    expect(await trade.act(noun, 'approve', id)).toMatchObject({ status: 200 });
    expect(await trade.act(noun, 'complete', id)).toMatchObject({ status: 200, body: { data: { total: '11.00' } } });
  });

  test('is cancelled', async () => {
    const party_id = await partyOf(side);
    const { id } = await createInvoice(side, party_id, true);
    await archive(side, party_id);
    expect(await trade.act(`${side}-invoice`, 'cancel', id)).toMatchObject({ status: 200 });
  });

  test('is paid, but money without an invoice is rejected', async () => {
    const party_id = await partyOf(side);
    const { id: invoice_id } = await createInvoice(side, party_id, true);
    await archive(side, party_id);
    const money = { [`${PARTIES[side]}_id`]: party_id, amount: '22.00' };
    expect(await trade[cash]({ ...money, kind: 'payment' })).toMatchObject({ status: 422 });
    const drafted = await trade[cash]({ ...money, [parts]: [{ invoice_id, amount: '22.00' }] });
    expect(drafted).toMatchObject({ status: 201 });
    const { id } = drafted.body.data;
    expect(await ours.owner.post(`/api/${cash}s/update/${id}`, { reference: 'R-1' })).toMatchObject({ status: 200 });
    expect(await ours.owner.post(`/api/${cash}s/approve/${id}`)).toMatchObject({ status: 200 });
    expect(await ours.owner.post(`/api/${cash}s/post/${id}`)).toMatchObject({ status: 200 });
    expect((await trade.show(`${side}-invoice`, invoice_id)).body.data).toMatchObject({ payment_status: 'paid' });
  });
});
