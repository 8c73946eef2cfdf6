import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher, type CallerOptions } from '@suite/testing';
import { type Company, openFinance } from '../../../test/fixture.ts';

const { serving, company } = await openFinance();
const { say } = await eventPublisher(serving);
let ours: Company;
beforeEach(async () => {
  ours = await company();
  await say(ours.workspace, 'inventory.pos_order.paid', {
    pos_order_id: randomUUID(),
    number: 'POS-1',
    business_date: '2026-02-01',
    customer_id: '',
    subtotal: '100.00',
    tax_total: '0.00',
    total: '100.00',
    cost: '0.00',
    taxes: [],
    payments: [{ method: 'cash', amount: '100.00' }],
  });
});

describe('POS payments of unknown customers', () => {
  const can = ['revenue.view', 'revenue.update', 'revenue.delete', 'pos_order.view'];
  const scopes: [string, CallerOptions['record_scopes'], number][] = [
    ['shown', {}, 1],
    ['shown', { customer: 'own' }, 1],
    ['hidden', { revenue: 'own' }, 0],
    ['hidden', { revenue: 'team' }, 0],
    ['hidden', { pos_order: 'own' }, 0],
    ['hidden', { revenue: 'own', pos_order: 'team' }, 0],
  ];
  test.each(scopes)('are %s to callers with the record scopes %j', async (_, record_scopes, total) => {
    const member = ours.member({ can, record_scopes });
    const paths = ['', '?source=pos', '?sort=-amount', '?method=cash', '?expand=bank_account,customer'];
    const pages = await Promise.all(paths.map((path) => member.get(`/api/customer-payments${path}`)));
    expect(pages.map(({ body }) => body.meta?.total ?? body)).toEqual(paths.map(() => total));
  });

  test('cannot be named by callers who do not see them', async () => {
    const [payment] = (await ours.owner.get('/api/customer-payments')).body.data;
    const member = ours.member({ can, record_scopes: { revenue: 'own' } });
    for (const action of ['allocate', 'deallocate', 'refund'])
      expect((await member.post(`/api/customer-payments/${action}/${payment.id}`, {})).status).not.toBe(200);
    const reply = await member.post(`/api/customer-payments/deallocate/${payment.id}`, {});
    const unknown = await member.post(`/api/customer-payments/deallocate/${randomUUID()}`, {});
    expect(reply).toMatchObject({ status: unknown.status, body: { code: unknown.body.code } });
  });

  test('are shown to accountants without permissions for POS orders', async () => {
    const accountant = ours.member({ can: ['revenue.view'] });
    expect((await accountant.get('/api/customer-payments')).body.meta.total).toBe(1);
  });
});
