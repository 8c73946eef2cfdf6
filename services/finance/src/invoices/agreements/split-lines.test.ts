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
beforeEach(async () => {
  ours = await company();
  trade = tradingSteps(ours, inventory);
});
const definition = { definition: FinanceServiceDefinition, address: `127.0.0.1:${serving.grpc_port}` };
const rpc = connectRpc({ finance: definition }, keysOf('crm'));
afterAll(() => rpc.close());
const order = (...args: Parameters<ReturnType<typeof orderFactory>>) =>
  orderFactory(rpc.as(forwardedCaller('crm', ours.owner.caller), randomUUID()).finance, trade)(...args);

const change = (id: string, body: object) => ours.owner.post(`/api/sales-invoice/update/${id}`, body);
const readInvoice = async (id: string) => (await trade.show('sales-invoice', id)).body.data;
const post = (id: string) => ours.owner.post(`/api/sales-invoice/post/${id}`, {});

describe('an order line that a draft divides', () => {
  test.each(['product', 'text'])('bills the order with all its parts, by %s', async (by) => {
    const product_id = trade.product({ type: 'service', track_stock: false });
    const sold = by === 'product' ? { product_id } : { description: 'Engine' };
    const { convert, source_ids } = await order([{ ...sold, qty: '10', unit_price: '100' }], {
      discount: { type: 'amount', value: '100' },
    });
    const parts = (...quantities: string[]) => ({
      lines: quantities.map((qty) => ({ ...sold, qty, unit_price: '100', tax_ids: [] })),
    });
    const first = await convert();
    expect((await change(first, parts('2', '3'))).body.data).toMatchObject({
      total: '450.00',
      lines: [{ source_line: { id: source_ids[0] } }, { source_line: { id: source_ids[0] } }],
    });
    expect((await post(first)).status).toBe(200);
    const second = await convert();
    expect(await readInvoice(second)).toMatchObject({ total: '450.00', lines: [{ qty: '5' }] });
    expect((await change(second, parts('4', '2'))).status).toBe(200);
    expect(await post(second)).toMatchObject({ status: 409, body: { code: 'over_invoiced' } });
    expect((await change(second, parts('4', '1'))).status).toBe(200);
    expect((await post(second)).body.data).toMatchObject({ total: '450.00' });
    await expect(convert()).rejects.toMatchObject({ code: 'nothing_to_invoice' });
  });

  test('bills a part outside the order if its `source_line` is null', async () => {
    const product_id = trade.product({ type: 'service', track_stock: false });
    const { convert } = await order([{ product_id, qty: '2', unit_price: '100' }]);
    const first = await convert();
    const line = { product_id, unit_price: '100', tax_ids: [] };
    const added = {
      lines: [
        { ...line, qty: '2' },
        { ...line, qty: '1', source_line: null },
      ],
    };
    expect((await change(first, added)).body.data.lines).toMatchObject([{ qty: '2' }, { source_line: null }]);
    expect((await post(first)).body.data).toMatchObject({ total: '300.00' });
  });
});
