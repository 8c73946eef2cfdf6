import { describe, expect, test } from '@jest/globals';
import { eventPublisher } from '@suite/testing';
import { openCrm } from '../../../test/fixture.ts';
import { salesSteps } from '../../../test/sales.ts';

const { serving, shop: openShop } = await openCrm();
const books = await eventPublisher(serving);
const rights = { can: ['proposal.view'], kind: 'client', record_scopes: { proposal: 'own' } } as const;

describe('the client portal', () => {
  test('shows a client only the proposals of their current customer', async () => {
    const shop = await openShop();
    const sales = salesSteps(shop);
    const [first, second] = [shop.member(rights), shop.member(rights)];
    const customer_id = shop.customer({ user_id: first.caller.user_id });
    const { id } = await sales.proposal({ customer_id });
    await sales.propose(id, 'sent');
    const visibleTo = async (client: typeof first) =>
      [await client.get(`/api/sales-proposal/show/${id}`), await client.get('/api/sales-proposal')].map(
        ({ status, body }) => body.data?.length ?? status,
      );
    const linked = (user_id: string, version: number) =>
      books.say(
        shop.workspace,
        'finance.customer.updated',
        { customer_id, name: 'Ada Ltd', active: true, user_id, version },
        { position: version },
      );
    expect(await visibleTo(first)).toEqual([200, 1]);
    await linked(second.caller.user_id, 2);
    expect([await visibleTo(first), await visibleTo(second)]).toEqual([
      [404, 0],
      [200, 1],
    ]);
    expect(await sales.propose(id, 'accept', {}, first)).toMatchObject({ status: 404 });
    expect(await sales.propose(id, 'reject', { reason: 'No' }, first)).toMatchObject({ status: 404 });
    await linked('', 3);
    expect(await sales.propose(id, 'accept', {}, second)).toMatchObject({ status: 404 });
    // An older copy of the customer never replaces the newer one.
    await sales.proposal({ customer_id });
    expect(await visibleTo(first)).toEqual([404, 0]);
  });
});
