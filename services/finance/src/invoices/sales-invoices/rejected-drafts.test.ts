import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { openFinance } from '../../../test/fixture.ts';
import { tradingSteps } from '../../../test/trade.ts';

const { inventory, company } = await openFinance();
let trade: ReturnType<typeof tradingSteps>;
beforeEach(async () => {
  trade = tradingSteps(await company(), inventory);
});
const draft = (body: object = {}) => trade.make('sales-invoice', { invoice_date: '2026-03-10', ...body });
const text = { description: 'Advice', qty: '1', unit_price: '10.00' };

describe('a draft', () => {
  test.each([
    ['for an unknown customer', { customer_id: randomUUID(), lines: [text] }, 'customer_id'],
    ['for an unknown product', { lines: [{ product_id: randomUUID(), qty: '1' }] }, 'lines.0.product_id'],
    ['for a quantity of zero', { lines: [{ ...text, qty: '0' }] }, 'lines.0.qty'],
    ['for a quantity with too many decimals', { lines: [{ ...text, qty: '1.0000001' }] }, 'lines.0.qty'],
    ['with an unknown tax', { lines: [{ ...text, tax_ids: [randomUUID()] }] }, 'lines.0.tax_ids'],
    ['from an unknown warehouse', { lines: [text], warehouse_id: randomUUID() }, 'warehouse_id'],
    ['without lines', { lines: [] }, 'lines'],
    [
      'with a discount that exceeds its total',
      { lines: [text], discount: { type: 'amount', value: '11' } },
      'discount.value',
    ],
    [
      'with an amount that is too large',
      { lines: [{ ...text, qty: '999999999999', unit_price: '999999999999' }] },
      'lines.0',
    ],
    ['with a total of its own', { lines: [text], total: '1.00' }, 'total'],
  ])('is rejected %s', async (_, body, field) => {
    const { id: customer_id } = await trade.customer();
    expect(await draft({ customer_id, ...body })).toMatchObject({
      status: 422,
      body: { errors: { [field]: [expect.any(String)] } },
    });
  });
});
