import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { connectRpc } from '@suite/chassis/testing';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { keysOf, forwardedCaller } from '@suite/testing';
import { expectCleanBooks } from '../../../test/audit.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';
import { tradingSteps } from '../../../test/trade.ts';

const { serving, inventory, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));
let ours: Company;
let customer_id: string;
beforeEach(async () => {
  ours = await company();
  customer_id = (await tradingSteps(ours, inventory).customer()).id;
});

const definition = { definition: FinanceServiceDefinition, address: `127.0.0.1:${serving.grpc_port}` };
const rpc = connectRpc({ finance: definition }, keysOf('projects'));
afterAll(() => rpc.close());
const financeClient = () => rpc.as(forwardedCaller('projects', ours.owner.caller), randomUUID()).finance;

/** Creates a draft of billed hours. */
async function createBilled() {
  const [idempotency_key, source_id] = [randomUUID(), randomUUID()];
  const source = { type: 'time', id: source_id };
  const line = { product_id: '', description: 'Layout', unit_price: '80', discount: undefined, taxes: [], source };
  const { sales_invoice_id: id } = await financeClient().createDraftInvoice({
    idempotency_key,
    customer_id,
    invoice_date: '2026-03-10',
    currency: '',
    warehouse_id: '',
    reference: 'Website',
    notes: '',
    proposal_id: '',
    sales_order_id: '',
    rate: '',
    sequence: 0,
    dry_run: false,
    discount: undefined,
    lines: [
      { ...line, qty: '1' },
      { ...line, qty: '0.333333' },
    ],
  });
  return { id, idempotency_key, source_id };
}
const update = (id: string, lines: object[]) => ours.owner.post(`/api/sales-invoice/update/${id}`, { lines });
const readEvents = async (id: string, verb: string) =>
  (
    await serving.sql`SELECT data FROM journal_events WHERE aggregate_id = ${id} AND type = ${`finance.sales_invoice.${verb}`}`
  )[0];

const one = { description: 'Layout', qty: '1', unit_price: '80' };
const two = { description: 'Other work', qty: '0.333333', unit_price: '80.00' };

describe('a draft of billed time', () => {
  test('has lines with fixed quantity and price, but variable text and discount', async () => {
    const { id, source_id } = await createBilled();
    const changed = { ...one, description: 'The layout', discount: { type: 'percent', value: '10' } };
    const extra = { description: 'Hosting', qty: '1', unit_price: '5' };
    expect(await update(id, [changed, two, extra])).toMatchObject({
      status: 200,
      body: { data: { net_total: '103.67' } },
    });
    for (const lines of [[{ ...one, qty: '2' }, two], [one, { ...two, unit_price: '90' }], [one], [two, one]])
      expect(await update(id, lines)).toMatchObject({ status: 409, body: { code: 'billed_time' } });
    const foreign = { currency: 'USD', rate: '1.1' };
    for (const body of [foreign, { ...foreign, lines: [one, two] }])
      expect(await ours.owner.post(`/api/sales-invoice/update/${id}`, body)).toMatchObject({
        status: 409,
        body: { code: 'billed_time' },
      });
    expect(await ours.owner.delete(`/api/sales-invoice/delete/${id}`)).toMatchObject({ status: 200 });
    expect(await readEvents(id, 'deleted')).toMatchObject({ data: { source_type: 'time', source_id } });
  });

  test('names its billing run in events when it is posted or cancelled', async () => {
    const { id, source_id, idempotency_key } = await createBilled();
    expect((await ours.owner.post(`/api/sales-invoice/post/${id}`)).status).toBe(200);
    expect(await readEvents(id, 'posted')).toMatchObject({ data: { source_type: 'time', source_id } });
    await expect(financeClient().deleteDraftInvoice({ idempotency_key, source_id })).rejects.toMatchObject({
      status: 409,
      code: 'invalid_transition',
    });
    expect((await ours.owner.post(`/api/sales-invoice/cancel/${id}`)).status).toBe(200);
    expect(await readEvents(id, 'cancelled')).toMatchObject({ data: { source_type: 'time', source_id } });
    expect(await financeClient().deleteDraftInvoice({ idempotency_key, source_id })).toEqual({ sales_invoice_id: id });
  });

  test('is deleted by its key, and not created again under that key', async () => {
    const { id, idempotency_key, source_id } = await createBilled();
    expect(await financeClient().deleteDraftInvoice({ idempotency_key, source_id })).toEqual({ sales_invoice_id: id });
    expect(await financeClient().deleteDraftInvoice({ idempotency_key, source_id })).toEqual({ sales_invoice_id: id });
    expect(await ours.owner.get(`/api/sales-invoice/show/${id}`)).toMatchObject({ status: 404 });
  });
});
