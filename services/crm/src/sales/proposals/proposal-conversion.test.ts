import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher, freezeClock, runConcurrently } from '@suite/testing';
import { everything, openCrm, type Shop } from '../../../test/fixture.ts';
import { salesSteps } from '../../../test/sales.ts';

const { serving, others, finance, shop: openShop, violations: violationsIn } = await openCrm({ replicas: 2 });
const books = await eventPublisher(serving);
let shop: Shop;
let sales: ReturnType<typeof salesSteps>;
beforeEach(async () => {
  shop = await openShop();
  sales = salesSteps(shop);
});

const convert = (id: string, by = shop.owner, query = '') =>
  by.post(`/api/sales-proposal/convert-to-invoice/${id}${query}`, {});
const events = (id: string) =>
  serving.sql`SELECT data FROM journal_events WHERE aggregate_id = ${id} AND type = 'crm.proposal.converted'`;
const violations = () => violationsIn(shop);
const draftsOf = (id: string) => [...finance.drafts.values()].filter(({ asked }) => asked.proposal_id === id);
const createAccepted = async (body: object = {}) => {
  const { id } = await sales.proposal(body);
  await sales.propose(id, 'sent');
  return (await sales.propose(id, 'accept')).body.data;
};

describe('converting an accepted proposal', () => {
  test('creates a draft invoice with the offered prices and taxes', async () => {
    freezeClock('2026-06-30T22:30:00Z');
    const tax = shop.stock.tax();
    const product_id = shop.stock.product({ name: 'Engine', taxes: [tax] });
    const discount = { type: 'percent', value: '10' };
    const { id, number } = await createAccepted({
      lines: [{ product_id, qty: '3', discount }, sales.text],
      terms: 'Net 30',
      issue_date: '2026-06-01',
      discount: { type: 'amount', value: '5.00' },
    });
    const { status, body } = await convert(id);
    const [draft, ...more] = draftsOf(id);
    expect([status, more]).toEqual([200, []]);
    expect(body.data).toMatchObject({ status: 'converted', invoice_id: draft!.id, warnings: [], allowed_actions: [] });
    expect(draft!.asked).toMatchObject({
      idempotency_key: `${id}:1`,
      customer_id: sales.customer_id,
      currency: 'EUR',
      invoice_date: '2026-07-01',
      reference: number,
      notes: 'Net 30',
      proposal_id: id,
      sales_order_id: '',
      discount: { type: 'amount', value: '5.00' },
      lines: [
        {
          product_id,
          description: 'Engine',
          qty: '3',
          unit_price: '19.99',
          discount,
          taxes: [{ tax_id: tax.tax_id, name: 'VAT', rate: '20', kind: 'percent', inclusive: false, compound: false }],
        },
        { product_id: '', description: 'Advice', qty: '1', unit_price: '100.00', taxes: [] },
      ],
    });
    expect(await events(id)).toEqual([{ data: { proposal_id: id, number, sales_invoice_id: draft!.id } }]);
    expect(await violations()).toEqual([]);
  });

  test('creates one invoice from fifty concurrent requests to two replicas', async () => {
    const { id } = await createAccepted();
    const rights = { ...shop.owner.caller, workspace: shop.workspace, can: shop.owner.caller.permissions };
    const door = others[0]!.member(rights);
    const replies = await runConcurrently(50, (at) => convert(id, at % 2 ? door : shop.owner));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ body }) => body.data.invoice_id)).size).toBe(1);
    expect([draftsOf(id).length, (await events(id)).length]).toEqual([1, 1]);
    expect(await violations()).toEqual([]);
  });

  test('continues with the same draft after a lost response', async () => {
    const { id } = await createAccepted();
    finance.trouble.push('lost');
    expect(await convert(id)).toMatchObject({ status: 503 });
    expect(await sales.showProposal(id)).toMatchObject({ status: 'accepted', invoice_id: null });
    const { body } = await convert(id);
    expect([body.data.invoice_id, draftsOf(id).length]).toEqual([draftsOf(id)[0]!.id, 1]);
    const asked = finance.calls.length;
    expect(await convert(id)).toMatchObject({ status: 200, body: { data: { invoice_id: body.data.invoice_id } } });
    expect(finance.calls).toHaveLength(asked);
  });

  const deleted = (proposal_id: string, sales_invoice_id: string) =>
    books.say(shop.workspace, 'finance.sales_invoice.deleted', { sales_invoice_id, sales_order_id: '', proposal_id });

  test('starts again after the draft was deleted', async () => {
    const { id } = await createAccepted();
    const first = (await convert(id)).body.data.invoice_id;
    await deleted(id, first);
    expect(await sales.showProposal(id)).toMatchObject({
      status: 'accepted',
      invoice_id: null,
      converted_at: null,
      allowed_actions: ['convert'],
    });
    const { status, body } = await convert(id);
    expect([status, body.data.status, draftsOf(id).length]).toEqual([200, 'converted', 2]);
    expect(body.data.invoice_id).toBe(draftsOf(id)[1]!.id);
    expect(await events(id)).toHaveLength(2);
    // The event about the first draft has no effect on the second.
    await deleted(id, first);
    expect(await sales.showProposal(id)).toMatchObject({ status: 'converted', invoice_id: body.data.invoice_id });
    expect(await violations()).toEqual([]);
  });

  test('creates another draft after its invoice was cancelled', async () => {
    const { id } = await createAccepted();
    const first = (await convert(id)).body.data.invoice_id;
    const invoice = { sales_invoice_id: first, number: 'INV-1', sales_order_id: '', proposal_id: id, lines: [] };
    await books.say(shop.workspace, 'finance.sales_invoice.cancelled', { ...invoice, source_type: '', source_id: '' });
    expect(await sales.showProposal(id)).toMatchObject({
      status: 'accepted',
      invoice_id: null,
      allowed_actions: ['convert'],
    });
    const { body } = await convert(id);
    expect(body.data).toMatchObject({ status: 'converted', invoice_id: draftsOf(id)[1]!.id });
    expect(body.data.invoice_id).not.toBe(first);
    expect(await violations()).toEqual([]);
  });

  test('returns 409 if its draft is deleted concurrently, and then creates another', async () => {
    const { id } = await createAccepted();
    finance.meanwhile.push((sales_invoice_id) => deleted(id, sales_invoice_id));
    expect(await convert(id)).toMatchObject({ status: 409, body: { code: 'draft_was_deleted' } });
    expect(await sales.showProposal(id)).toMatchObject({ status: 'accepted', invoice_id: null });
    expect((await convert(id)).body.data).toMatchObject({ status: 'converted', invoice_id: draftsOf(id)[1]!.id });
  });

  test('supports a dry run that creates nothing', async () => {
    const { id, version } = await createAccepted({ currency: 'USD' });
    const { status, body } = await convert(id, shop.owner, '?dry_run=true');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      status: 'converted',
      invoice_id: null,
      warnings: ['The currency of the invoice differs from the currency of the workspace.'],
    });
    expect([draftsOf(id), await events(id)]).toEqual([[], []]);
    expect(await sales.showProposal(id)).toMatchObject({ status: 'accepted', version });
  });

  test.each(['draft', 'sent', 'rejected'])('is rejected for a %s proposal, and sends no request', async (state) => {
    const { id } = await sales.proposal();
    if (state !== 'draft') await sales.propose(id, 'sent');
    if (state === 'rejected') await sales.propose(id, 'reject', { reason: 'No' });
    const reply = { status: 409, body: { code: 'invalid_transition', details: { from: state, action: 'convert' } } };
    expect(await convert(id)).toMatchObject(reply);
    expect(await convert(id, shop.owner, '?dry_run=true')).toMatchObject(reply);
    expect(draftsOf(id)).toEqual([]);
  });

  test("requires its permission, and returns 404 for another workspace's proposal", async () => {
    const { id } = await createAccepted();
    const seller = shop.member({ can: everything.filter((one) => one !== 'proposal.convert') });
    expect(await convert(id, seller)).toMatchObject({ status: 403 });
    expect(await convert(id, (await openShop()).owner)).toMatchObject({ status: 404 });
    expect(draftsOf(id)).toEqual([]);
  });
});
