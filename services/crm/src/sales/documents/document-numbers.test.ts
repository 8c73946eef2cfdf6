import { beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { everything, openCrm, type Shop } from '../../../test/fixture.ts';
import { salesSteps } from '../../../test/sales.ts';

const { shop: openShop, violations } = await openCrm();
let shop: Shop;
let sales: ReturnType<typeof salesSteps>;
beforeEach(async () => {
  shop = await openShop();
  sales = salesSteps(shop);
});

const removeQuote = (id: string) => shop.owner.delete(`/api/sales/quotes/destroy/${id}`);
const removeOrder = (id: string) => shop.owner.delete(`/api/sales/sales-order/delete/${id}`);

describe('a quote', () => {
  test.each(['sent', 'declined', 'cancelled', 'draft'])(
    'cannot be deleted if it has a number and is %s',
    async (state) => {
      const { id } = await sales.quote();
      await sales.updateQuote(id, { status: 'sent' });
      const { body } = await sales.updateQuote(id, state === 'draft' ? { terms: 'New' } : { status: state });
      expect(body.data).toMatchObject({ status: state, number: expect.any(String) });
      expect(body.data.allowed_actions).not.toContain('delete');
      const details = { from: state, action: 'delete', allowed: body.data.allowed_actions };
      expect(await removeQuote(id)).toMatchObject({ status: 409, body: { code: 'invalid_transition', details } });
    },
  );

  test('reports the requested and the allowed actions in terms of allowed_actions', async () => {
    const { id } = await sales.quote();
    const reader = shop.member({ can: everything.filter((one) => one !== 'quote.delete') });
    const { allowed_actions } = (await reader.get(`/api/sales/quotes/${id}`)).body.data;
    expect(await sales.updateQuote(id, { status: 'accepted' }, reader)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'draft', action: 'accept', allowed: allowed_actions } },
    });
  });
});

describe('an order', () => {
  test('reports the requested and the allowed actions in terms of allowed_actions', async () => {
    const { id, allowed_actions } = await sales.order();
    expect(await sales.updateOrder(id, { status: 'closed' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'draft', action: 'close', allowed: allowed_actions } },
    });
  });

  test('allows one new order from its quote after cancellation', async () => {
    const quote = await sales.quote();
    await sales.updateQuote(quote.id, { status: 'sent' });
    await sales.updateQuote(quote.id, { status: 'accepted' });
    const order = async () => await sales.storeOrder({ customer_id: undefined, lines: undefined, quote_id: quote.id });
    const first = (await order()).body.data;
    expect(await order()).toMatchObject({ status: 409, body: { details: { from: 'ordered', action: 'order' } } });
    await sales.updateOrder(first.id, { status: 'cancelled' });
    expect(await sales.showQuote(quote.id)).toMatchObject({
      status: 'accepted',
      order_id: null,
      allowed_actions: expect.arrayContaining(['order']),
    });
    const replies = await runConcurrently(5, order);
    expect(sortedStatuses(replies)).toEqual([201, 409, 409, 409, 409]);
    const { id } = replies.find(({ status }) => status === 201)!.body.data;
    // The amount of the first order does not affect the second.
    expect(await removeOrder(first.id)).toMatchObject({ status: 200 });
    expect(await sales.showQuote(quote.id)).toMatchObject({ status: 'ordered', order_id: id });
    expect(await violations(shop)).toEqual([]);
  });
});

test.each([
  ['quote', (id: string) => sales.updateQuote(id, { status: 'sent' }), { issue_date: '2019-01-31' }],
  ['proposal', (id: string) => sales.propose(id, 'sent'), { issue_date: '2019-01-31' }],
  ['proposal', (id: string) => sales.propose(id, 'accept'), { issue_date: '2019-01-31' }],
  ['order', (id: string) => sales.updateOrder(id, { status: 'confirmed' }), { order_date: '2019-01-31' }],
] as const)('warns about an unusual date when a %s gets its number', async (noun, issue, day) => {
  const warnings = async (body: object) => (await issue((await sales[noun](body)).id)).body.data;
  expect(await warnings(day)).toMatchObject({
    number: expect.stringContaining('-2019-'),
    warnings: [{ code: 'unusual_date', message: 'The date 2019-01-31 is more than a year away. Check its year.' }],
  });
  expect(await warnings({})).toMatchObject({ warnings: [] });
});
