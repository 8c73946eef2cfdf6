import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
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

const NOUN = 'sales-invoice-return';
const act = async (verb: string, id: string) => (await trade.act(NOUN, verb, id)).body.data;
const noteOf = async (id: string) => (await ours.owner.get(`/api/credit-notes/show/${id}`)).body.data;
const readEvents = (type: string, id: string) =>
  serving.sql<{ data: object }>`
    SELECT data FROM journal_events WHERE aggregate_id = ${id} AND type = ${`finance.sales_return.${type}`}`;

/** Posts an invoice of three engines and an installation, 184.76 in total. Drafts a return of two engines: 43.17. */
async function createReturn(line: object = {}) {
  const invoice = await trade.createFirstInvoice();
  await trade.act('sales-invoice', 'post', invoice.id);
  const returnInput = { invoice_id: invoice.id, return_date: '2026-03-20', reason: 'defective' };
  const lines = [{ invoice_line_id: invoice.lines[0].id, qty: '2', ...line }];
  return { id: (await trade.make(NOUN, { ...returnInput, lines })).body.data.id as string, invoice };
}

describe('approving a return', () => {
  test('drafts its credit note, which is issued on completion', async () => {
    const { id, invoice } = await createReturn();
    const { credit_note_id } = await act('approve', id);
    expect(await noteOf(credit_note_id)).toMatchObject({
      status: 'draft',
      number: null,
      journal_id: null,
      sales_return_id: id,
      invoice_id: invoice.id,
      total: '43.17',
      applied: '0.00',
      remaining: '0.00',
      allowed_actions: [],
    });
    const bank = (await ours.owner.get('/api/bank-accounts')).body.data[0];
    const draft = { status: 409, body: { code: 'note_is_draft' } };
    expect(
      await ours.owner.post(`/api/credit-notes/refund/${credit_note_id}`, { bank_account_id: bank.id }),
    ).toMatchObject(draft);
    expect(await act('complete', id)).toMatchObject({ status: 'completed', credit_note_id });
    expect(await noteOf(credit_note_id)).toMatchObject({
      status: 'applied',
      number: 'CN-2026-00001',
      applied: '43.17',
    });
    expect((await ours.owner.get('/api/credit-notes')).body.meta.total).toBe(1);
  });

  test('announces only the incoming goods', async () => {
    const { id, invoice } = await createReturn();
    const { credit_note_id } = await act('approve', id);
    const { warehouse_id } = (await trade.show('sales-invoice', invoice.id)).body.data;
    expect(await readEvents('approved', id)).toMatchObject([
      { data: { credit_note_id, warehouse_id, incoming: [{ product_id: invoice.product_id, qty: '2' }] } },
    ]);
    const scrapped = await createReturn({ disposition: 'scrap' });
    await act('approve', scrapped.id);
    expect(await readEvents('approved', scrapped.id)).toMatchObject([{ data: { warehouse_id: '', incoming: [] } }]);
  });

  test('creates a draft note, which cancelling deletes with an event', async () => {
    const { id } = await createReturn();
    const { credit_note_id } = await act('approve', id);
    expect(await act('cancel', id)).toMatchObject({ status: 'cancelled', credit_note_id: null });
    await act('cancel', id);
    expect(await ours.owner.get(`/api/credit-notes/show/${credit_note_id}`)).toMatchObject({ status: 404 });
    expect(await readEvents('cancelled', id)).toHaveLength(1);
  });

  test('drafts the debit note of a purchase return', async () => {
    const vendor = await trade.vendor();
    const body = {
      vendor_id: vendor.id,
      invoice_date: '2026-03-01',
      lines: [{ product_id: trade.product(), qty: '4' }],
    };
    const bill = (await trade.make('purchase-invoice', body)).body.data;
    await trade.act('purchase-invoice', 'post', bill.id);
    const lines = [{ invoice_line_id: bill.lines[0].id, qty: '1' }];
    const returnInput = { invoice_id: bill.id, return_date: '2026-03-20', reason: 'damaged', lines };
    const { id } = (await trade.make('purchase-return', returnInput)).body.data;
    const { debit_note_id } = (await trade.act('purchase-return', 'approve', id)).body.data;
    expect((await ours.owner.get('/api/debit-notes')).body.data).toMatchObject([
      { id: debit_note_id, status: 'draft' },
    ]);
    await trade.act('purchase-return', 'complete', id);
    expect((await ours.owner.get('/api/debit-notes')).body.data).toMatchObject([
      { id: debit_note_id, status: 'applied' },
    ]);
  });
});

test('a draft note returns 404 in another workspace', async () => {
  const { id } = await createReturn();
  const { credit_note_id } = await act('approve', id);
  const outsider = ours.member({ workspace: randomUUID() });
  expect(await outsider.get(`/api/credit-notes/show/${credit_note_id}`)).toMatchObject({ status: 404 });
});
