import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openCrm, type Shop } from '../test/fixture.ts';
import { salesSteps } from '../test/sales.ts';

const { shop: openShop } = await openCrm();
let shop: Shop;
let ids: Record<string, string>;
beforeAll(async () => {
  shop = await openShop();
  const sales = salesSteps(shop);
  const opportunity = await shop.owner.post('/api/sales/opportunitity/store', { name: 'Chance' });
  const parent = { parent_type: 'opportunity', parent_id: opportunity.body.data.id };
  const hour = { start: '2027-01-01T10:00:00Z', end: '2027-01-01T11:00:00Z' };
  const meeting = await shop.owner.post('/api/sales/meeting/store', { name: 'Demo', ...parent, ...hour });
  ids = {
    quote: (await sales.quote()).id,
    order: (await sales.order()).id,
    proposal: (await sales.proposal()).id,
    opportunity: opportunity.body.data.id,
    meeting: meeting.body.data.id,
    lead: (await shop.owner.post('/api/lead/create', { name: 'Ada' })).body.data.id,
  };
});

const unknown = { product_id: randomUUID(), qty: '1' };

describe('an invalid change', () => {
  test.each([
    ['quote', '/api/sales/quotes/update/', { lines: [unknown] }],
    ['order', '/api/sales/sales-order/update/', { lines: [unknown] }],
    ['proposal', '/api/sales-proposal/update/', { lines: [unknown] }],
    ['opportunity', '/api/sales/opportunities/update/', { customer_id: randomUUID() }],
    ['meeting', '/api/sales/meeting/update/', { attendees: [{ user_id: randomUUID() }] }],
    ['lead', '/api/lead/assign-products/', { products: [unknown] }],
  ])('is reported only for an existing %s', async (noun, path, body) => {
    const elsewhere = (await openShop()).owner;
    expect(await shop.owner.post(`${path}${ids[noun]}`, body)).toMatchObject({ status: 422 });
    expect(await shop.owner.post(`${path}${randomUUID()}`, body)).toMatchObject({ status: 404 });
    expect(await elsewhere.post(`${path}${ids[noun]}`, body)).toMatchObject({ status: 404 });
  });
});
