import { beforeEach, describe, expect, test } from '@jest/globals';
import { freezeClock, runConcurrently } from '@suite/testing';
import { everything, openCrm, type Shop } from '../../../test/fixture.ts';
import { salesSteps } from '../../../test/sales.ts';

const { serving, finance, shop: openShop, violations: violationsIn } = await openCrm();
let shop: Shop;
let sales: ReturnType<typeof salesSteps>;
beforeEach(async () => {
  shop = await openShop();
  sales = salesSteps(shop);
});

const events = (id: string) =>
  serving.sql`SELECT type, data FROM journal_events WHERE aggregate_id = ${id} ORDER BY position`;
const violations = () => violationsIn(shop);
const create = (body: object) =>
  shop.owner.post('/api/sales-proposal/create', {
    customer_id: sales.customer_id,
    valid_until: '2099-01-31',
    lines: [sales.text],
    ...body,
  });
const update = (id: string, body: object) => sales.propose(id, 'update', body);
const remove = (id: string) => shop.owner.delete(`/api/sales-proposal/delete/${id}`);
const createSent = async (body: object = {}) => {
  const { id } = await sales.proposal(body);
  return (await sales.propose(id, 'sent')).body.data;
};

describe('a proposal', () => {
  test("is a draft without a number, in the customer's currency, with totals", async () => {
    const tax = shop.stock.tax({ rate: '19', inclusive: true });
    const lines = [
      { ...sales.text, unit_price: '340.00', tax_ids: [tax.tax_id] },
      { ...sales.text, unit_price: '13.90', tax_ids: [tax.tax_id] },
    ];
    expect(await create({ lines, notes: 'Be kind' })).toMatchObject({
      status: 201,
      body: {
        data: {
          status: 'draft',
          number: null,
          revision: 1,
          customer_name: 'Ada Ltd',
          currency: 'EUR',
          notes: 'Be kind',
          net_total: '297.39',
          tax_total: '56.51',
          total: '353.90',
          accepted_by: null,
          invoice_id: null,
          public_token: expect.stringMatching(/^[0-9a-f]{64}$/),
          allowed_actions: ['send', 'accept', 'update', 'delete'],
        },
      },
    });
    expect(await violations()).toEqual([]);
  });

  test.each([
    ['a customer who is unknown', () => ({ customer_id: crypto.randomUUID() }), 'customer_id'],
    [
      'a product that is unknown',
      () => ({ lines: [{ product_id: crypto.randomUUID(), qty: '1' }] }),
      'lines.0.product_id',
    ],
    ['an end before its beginning', () => ({ issue_date: '2026-02-01', valid_until: '2026-01-31' }), 'valid_until'],
    ['a state', () => ({ status: 'accepted' }), 'status'],
    ['an invoice', () => ({ invoice_id: crypto.randomUUID() }), 'invoice_id'],
  ])('is rejected with %s', async (_, body, field) => {
    expect(await create(body())).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  });

  test('gets its number when it is sent, and emits the event', async () => {
    const { id, number, sent_at, allowed_actions } = await createSent({ issue_date: '2026-02-03' });
    expect([number, sent_at, allowed_actions]).toEqual([
      'PRO-2026-00001',
      expect.any(String),
      ['accept', 'reject', 'update'],
    ]);
    expect(await sales.propose(id, 'sent')).toMatchObject({ status: 200, body: { data: { number, sent_at } } });
    expect(await events(id)).toEqual([
      { type: 'crm.proposal.sent', data: { proposal_id: id, number, customer_id: sales.customer_id } },
    ]);
  });

  test('becomes a draft of the next revision when changed after sending', async () => {
    const { id, number } = await createSent();
    expect((await update(id, { lines: [{ ...sales.text, qty: '3' }] })).body.data).toMatchObject({
      status: 'draft',
      revision: 2,
      number,
      total: '300.00',
      sent_at: null,
    });
    expect((await sales.propose(id, 'sent')).body.data).toMatchObject({ status: 'sent', revision: 2, number });
    await sales.propose(id, 'accept');
    expect(await update(id, { terms: 'New' })).toMatchObject({ status: 409, body: { code: 'proposal_is_settled' } });
    expect(await violations()).toEqual([]);
  });

  test('rejects a status in an update, and a stale version', async () => {
    const { id, version } = await sales.proposal();
    expect(await update(id, { status: 'sent' })).toMatchObject({
      status: 422,
      body: { errors: { status: expect.any(Array) } },
    });
    await update(id, { terms: 'One' });
    expect(await update(id, { terms: 'Two', version })).toMatchObject({ status: 412 });
    expect(await sales.propose(id, 'sent', { version })).toMatchObject({ status: 412 });
  });
});

describe('the answer to a proposal', () => {
  test('accepts it, and records who accepted', async () => {
    const { id } = await createSent();
    const { body } = await sales.propose(id, 'accept', { name: 'Grace', email: 'Grace@Example.com' });
    expect(body.data).toMatchObject({
      status: 'accepted',
      accepted_by: {
        name: 'Grace',
        email: 'grace@example.com',
        ip: '127.0.0.1',
        user_id: shop.owner.caller.user_id,
        on_behalf: true,
      },
      allowed_actions: ['convert'],
    });
    expect(await sales.propose(id, 'accept')).toMatchObject({ status: 200, body: { data: body.data } });
    expect((await events(id)).map(({ type }) => type)).toEqual(['crm.proposal.sent', 'crm.proposal.accepted']);
  });

  test('rejects it, and records the reason', async () => {
    const { id, number } = await createSent();
    expect(await sales.propose(id, 'reject')).toMatchObject({
      status: 422,
      body: { errors: { reason: expect.any(Array) } },
    });
    const { body } = await sales.propose(id, 'reject', { reason: 'Too dear' });
    expect(body.data).toMatchObject({ status: 'rejected', reject_reason: 'Too dear', rejected_at: expect.any(String) });
    expect((await events(id)).at(-1)).toEqual({
      type: 'crm.proposal.rejected',
      data: { proposal_id: id, number, reason: 'Too dear' },
    });
  });

  test('is either accepted or rejected: fifty concurrent answers leave one', async () => {
    const { id } = await createSent();
    const replies = await runConcurrently(50, (at) =>
      at % 2 ? sales.propose(id, 'accept') : sales.propose(id, 'reject', { reason: 'Too dear' }),
    );
    const { status } = await sales.showProposal(id);
    for (const [at, reply] of replies.entries()) {
      expect(reply.status).toBe((at % 2 ? 'accepted' : 'rejected') === status ? 200 : 409);
    }
    expect(await events(id)).toHaveLength(2);
    expect(await violations()).toEqual([]);
  });

  test('accepts a draft on behalf of the customer only with the permission', async () => {
    const { id } = await sales.proposal({ issue_date: '2026-02-03' });
    const seller = shop.member({ can: everything.filter((one) => one !== 'proposal.accept_on_behalf') });
    expect(await sales.propose(id, 'accept', {}, seller)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const shown = await seller.get(`/api/sales-proposal/show/${id}`);
    expect(shown.body.data.allowed_actions).not.toContain('accept');
    expect((await sales.propose(id, 'accept')).body.data).toMatchObject({
      status: 'accepted',
      number: 'PRO-2026-00001',
      sent_at: null,
      accepted_by: { on_behalf: true },
    });
  });

  test('cannot reject a draft, and requires a permission for staff users', async () => {
    const { id } = await sales.proposal();
    const details = { from: 'draft', action: 'reject', allowed: ['send', 'accept', 'update', 'delete'] };
    expect(await sales.propose(id, 'reject', { reason: 'No' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details },
    });
    const viewer = shop.member({ can: ['proposal.view'] });
    expect(await sales.propose(id, 'reject', { reason: 'No' }, viewer)).toMatchObject({ status: 403 });
    expect(await sales.propose(id, 'accept', {}, viewer)).toMatchObject({ status: 403 });
  });

  test("is rejected after the last day in the workspace's time zone", async () => {
    const clock = freezeClock('2026-06-30T21:00:00Z');
    const { id } = await createSent({ issue_date: '2026-06-01', valid_until: '2026-06-30' });
    clock.goTo('2026-06-30T22:00:00Z');
    expect(await sales.showProposal(id)).toMatchObject({ status: 'expired', allowed_actions: ['delete'] });
    expect(await sales.propose(id, 'accept')).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'expired', action: 'accept' } },
    });
    expect(await sales.propose(id, 'reject', { reason: 'Late' })).toMatchObject({ status: 409 });
    const late = await sales.proposal({ issue_date: '2026-06-01', valid_until: '2026-06-30' });
    expect(await sales.propose(late.id, 'sent')).toMatchObject({ status: 409, body: { code: 'validity_is_over' } });
    expect(await remove(id)).toMatchObject({ status: 200 });
  });
});

describe('a client', () => {
  const rights = { can: ['proposal.view'], kind: 'client', record_scopes: { proposal: 'own' } } as const;

  test('sees and answers sent proposals of their customer, without internal fields', async () => {
    const client = shop.member(rights);
    const customer_id = shop.customer({ user_id: client.caller.user_id });
    const draft = await sales.proposal({ customer_id });
    expect(await client.get(`/api/sales-proposal/show/${draft.id}`)).toMatchObject({ status: 404 });
    const { id } = await createSent({ customer_id, notes: 'Go down to 80' });
    await createSent();
    const { body } = await client.get('/api/sales-proposal');
    expect(body.data).toMatchObject([{ id, allowed_actions: ['accept', 'reject'] }]);
    expect(body.data[0]).not.toHaveProperty('notes');
    const { data } = (await sales.propose(id, 'accept', {}, client)).body;
    const accepted_by = { user_id: client.caller.user_id, on_behalf: false };
    expect(data).toMatchObject({ status: 'accepted', accepted_by });
    expect(data).not.toHaveProperty('notes');
  });

  test('sees a sent proposal even if linked to the customer after it was written', async () => {
    const client = shop.member(rights);
    const customer_id = shop.customer();
    const { id } = await sales.proposal({ customer_id });
    const known = finance.customers.get(customer_id)!;
    known.user_id = client.caller.user_id;
    known.version += 1;
    expect(await sales.propose(id, 'sent')).toMatchObject({ status: 200 });
    expect(await client.get(`/api/sales-proposal/show/${id}`)).toMatchObject({ status: 200 });
    const late = await sales.proposal({ customer_id });
    known.active = false;
    expect(await sales.propose(late.id, 'sent')).toMatchObject({
      status: 422,
      body: { errors: { customer_id: [expect.any(String)] } },
    });
  });

  test('cannot answer proposals of other customers, nor with an API key', async () => {
    const client = shop.member(rights);
    const { id } = await createSent();
    expect(await sales.propose(id, 'accept', {}, client)).toMatchObject({ status: 404 });
    expect(await sales.propose(id, 'reject', { reason: 'No' }, client)).toMatchObject({ status: 404 });
    const customer_id = shop.customer({ user_id: client.caller.user_id });
    const own = await createSent({ customer_id });
    const key = shop.member({ ...rights, user_id: client.caller.user_id, api_key_id: crypto.randomUUID() });
    expect(await sales.propose(own.id, 'accept', {}, key)).toMatchObject({ status: 403 });
  });
});

describe('proposals', () => {
  test('can be deleted only as drafts, rejected or expired', async () => {
    const { id } = await createSent();
    expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    await sales.propose(id, 'reject', { reason: 'No' });
    expect(await remove(id)).toMatchObject({ status: 200 });
    expect(await remove((await sales.proposal()).id)).toMatchObject({ status: 200 });
    expect(await violations()).toEqual([]);
  });

  test('are listed in at most three statements, with filter and search', async () => {
    const { id, number } = await createSent();
    await sales.proposal();
    const before = serving.database.statements;
    const { body } = await shop.owner.get(`/api/sales-proposal?q=${number}&status=sent&total[gte]=10`);
    expect(serving.database.statements - before).toBeLessThanOrEqual(3);
    expect(body.data.map((found: { id: string }) => found.id)).toEqual([id]);
  });
});
