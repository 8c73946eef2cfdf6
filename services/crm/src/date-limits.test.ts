import { describe, expect, test } from '@jest/globals';
import { openCrm } from '../test/fixture.ts';

const { shop: openShop } = await openCrm();

describe('a request with a date', () => {
  test.each(['0001-01-01', '1899-12-31', '2999-01-01'])('rejects the implausible date %s', async (day) => {
    const shop = await openShop();
    const document = { customer_id: shop.customer(), lines: [{ description: 'Advice', qty: '1', unit_price: '1.00' }] };
    const { id: lead_id } = (await shop.owner.post('/api/lead/create', { name: 'Ada' })).body.data;
    const requests: [string, string, object][] = [
      ['sales/quotes/store', 'issue_date', { ...document, expiry_date: '2030-01-01' }],
      ['sales/quotes/store', 'expiry_date', document],
      ['sales/sales-order/store', 'order_date', document],
      ['sales/sales-order/store', 'delivery_date', document],
      ['sales-proposal/create', 'issue_date', { ...document, valid_until: '2030-01-01' }],
      ['sales-proposal/create', 'valid_until', document],
      ['lead/create', 'next_follow_up', { name: 'Ada' }],
      ['lead-task/create', 'date', { lead_id, name: 'Ring' }],
    ];
    for (const [path, field, body] of requests) {
      const reply = await shop.owner.post(`/api/${path}`, { ...body, [field]: day });
      expect([path, reply]).toMatchObject([
        path,
        { status: 422, body: { errors: { [field]: [expect.stringContaining('between 1900 and')] } } },
      ]);
    }
  });
});
