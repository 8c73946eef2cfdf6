import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher } from '@suite/testing';
import { openInventory, type Shop } from '../../test/fixture.ts';

const { serving, shop: openShop } = await openInventory();
const { say } = await eventPublisher(serving);
let shop: Shop;
let product_id: string;
beforeEach(async () => {
  shop = await openShop();
  product_id = await shop.product({}, { qty: '3' });
});

const incoming = async () =>
  (await shop.owner.get(`/api/product-stocks?product_id=${product_id}`)).body.data.map(
    (level: { incoming: string; available: string }) => [level.incoming, level.available],
  );
const approved = (sales_return_id: string) => {
  const lines = [
    { line_id: randomUUID(), product_id, qty: '2' },
    { line_id: randomUUID(), product_id, qty: '0.5' },
  ];
  const what = { sales_return_id, sales_invoice_id: randomUUID(), credit_note_id: randomUUID() };
  const event = { ...what, warehouse_id: shop.warehouse, incoming: lines };
  return say(shop.workspace, 'finance.sales_return.approved', event, { times: 2 });
};

describe('goods of an approved return', () => {
  test.each(['completed', 'cancelled'])('are incoming until the return is %s', async (verb) => {
    const [id, later] = [randomUUID(), randomUUID()];
    await approved(id);
    expect(await incoming()).toEqual([['2.5', '3']]);
    await say(shop.workspace, `finance.sales_return.${verb}`, { sales_return_id: id }, { position: 2, times: 2 });
    expect(await incoming()).toEqual([['0', '3']]);
    // Events of different types have no defined order.
    await say(shop.workspace, `finance.sales_return.${verb}`, { sales_return_id: later }, { position: 2 });
    await approved(later);
    expect(await incoming()).toEqual([['0', '3']]);
  });
});
