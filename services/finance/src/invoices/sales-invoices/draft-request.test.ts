import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { connectRpc } from '@suite/chassis/testing';
import { keysOf, forwardedCaller, runConcurrently } from '@suite/testing';
import { type CreateDraftInvoiceRequest, FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { expectCleanBooks } from '../../../test/audit.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';
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
const financeClient = () =>
  connectRpc({ finance: definition }, keysOf('crm')).as(forwardedCaller('crm', ours.owner.caller), randomUUID())
    .finance;

async function draftRequest(more: Partial<CreateDraftInvoiceRequest> = {}): Promise<CreateDraftInvoiceRequest> {
  const { id: customer_id } = await trade.customer();
  const product_id = trade.product({}, { on_hand: 15, value: '110.00' });
  const vat = { tax_id: randomUUID(), name: 'VAT', rate: '20', kind: 'percent', inclusive: false, compound: false };
  const off = { type: 'percent', value: '10' };
  const none = { currency: '', warehouse_id: '', discount: undefined, reference: 'Q-1', notes: '', sales_order_id: '' };
  const request = { rate: '', sequence: 0, dry_run: false };
  return {
    idempotency_key: randomUUID(),
    customer_id,
    invoice_date: '2026-03-10',
    proposal_id: randomUUID(),
    ...none,
    ...request,
    lines: [
      {
        product_id,
        description: '',
        unit_name: '',
        qty: '3',
        unit_price: '19.99',
        discount: off,
        taxes: [vat],
        source: undefined,
      },
      {
        product_id: '',
        description: 'Installation',
        unit_name: '',
        qty: '1',
        unit_price: '100',
        discount: undefined,
        taxes: [vat],
        source: undefined,
      },
    ],
    ...more,
  };
}

describe('a requested draft', () => {
  test('is created once per key, and posted with product data of inventory', async () => {
    const request = await draftRequest();
    const answers = await runConcurrently(10, () => financeClient().createDraftInvoice(request));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect((await serving.sql`SELECT FROM sales_invoices WHERE customer_id = ${request.customer_id}`).length).toBe(1);
    const id = answers[0]!.sales_invoice_id;
    const posted = await trade.act('sales-invoice', 'post', id);
    expect(posted.body.data).toMatchObject({
      total: '184.76',
      number: 'INV-2026-00001',
      reference: 'Q-1',
      lines: [{ product_name: 'Engine' }, {}],
      effects: { stock_moves: [{ cost: '22.00' }] },
    });
    await expect(financeClient().createDraftInvoice({ ...request, idempotency_key: 'other' })).rejects.toMatchObject({
      status: 409,
    });
  });

  test('posts reserved stock of its order, and its event has all billed lines', async () => {
    const sales_order_id = randomUUID();
    const { sales_invoice_id: id } = await financeClient().createDraftInvoice(
      await draftRequest({ sales_order_id, proposal_id: '' }),
    );
    expect(await trade.act('sales-invoice', 'post', id)).toMatchObject({
      status: 200,
      body: { data: { sales_order_id } },
    });
    const issue = inventory.issues.find(({ source }) => source?.id === id);
    expect(issue).toMatchObject({ reserved_for: { type: 'sales_order', id: sales_order_id } });
    const [event] = await serving.sql<{ data: { sales_order_id: string; lines: object[] } }>`
    SELECT data FROM journal_events WHERE aggregate_id = ${id} AND type = 'finance.sales_invoice.posted'`;
    expect(event!.data).toMatchObject({ sales_order_id, lines: [{ qty: '3' }, { product_id: '', qty: '1' }] });
  });

  test('is rejected with the names of invalid fields', async () => {
    const invalidField = (field: string) => ({ status: 422, errors: { [field]: [expect.any(String)] } });
    await expect(financeClient().createDraftInvoice(await draftRequest({ lines: [] }))).rejects.toMatchObject(
      invalidField('lines'),
    );
    await expect(
      financeClient().createDraftInvoice(await draftRequest({ customer_id: randomUUID() })),
    ).rejects.toMatchObject(invalidField('customer_id'));
    await expect(financeClient().createDraftInvoice(await draftRequest({ currency: 'USD' }))).rejects.toMatchObject(
      invalidField('rate'),
    );
  });

  test.each<[string, (request: CreateDraftInvoiceRequest) => Promise<Partial<CreateDraftInvoiceRequest>>]>([
    ['customer', async () => ({ customer_id: (await trade.customer()).id })],
    ['quantity', async ({ lines }) => ({ lines: lines.map((line) => ({ ...line, qty: '4' })) })],
    ['discount', async () => ({ discount: { type: 'percent', value: '5' } })],
    ['proposal', async () => ({ proposal_id: randomUUID() })],
  ])('is rejected for another %s under the same key', async (_, other) => {
    const request = await draftRequest();
    const { sales_invoice_id } = await financeClient().createDraftInvoice(request);
    const refused = financeClient().createDraftInvoice({ ...request, ...(await other(request)) });
    await expect(refused).rejects.toMatchObject({ status: 409, code: 'key_reused' });
    const again = { ...request, invoice_date: '2026-03-11', notes: 'Asked after midnight' };
    expect(await financeClient().createDraftInvoice(again)).toMatchObject({ sales_invoice_id });
  });

  test('is announced with its source when deleted, and its key creates another', async () => {
    const request = await draftRequest();
    const { sales_invoice_id: id } = await financeClient().createDraftInvoice(request);
    expect(await ours.owner.delete(`/api/sales-invoice/delete/${id}`)).toMatchObject({ status: 200 });
    expect(
      await serving.sql`SELECT data FROM journal_events WHERE aggregate_id = ${id} AND type = 'finance.sales_invoice.deleted'`,
    ).toEqual([
      {
        data: {
          sales_invoice_id: id,
          sales_order_id: '',
          proposal_id: request.proposal_id,
          source_type: '',
          source_id: '',
        },
      },
    ]);
    const repeated = await financeClient().createDraftInvoice(request);
    expect(repeated.sales_invoice_id).not.toBe(id);
    expect(await financeClient().createDraftInvoice(request)).toEqual(repeated);
  });
});
