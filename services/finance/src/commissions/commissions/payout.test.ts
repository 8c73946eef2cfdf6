import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { FIVE, openCommissionTests, totals } from '../../../test/commissions.ts';
import { everything } from '../../../test/fixture.ts';

const { ours, shop } = await openCommissionTests();

describe('paying commissions', () => {
  test('pays an approved line from the bank, once', async () => {
    const { id } = await shop.agent(FIVE);
    await shop.createInvoice(id, '1', '1000.00');
    const [line] = await shop.lines(id);
    expect(line).toMatchObject({ status: 'accrued', allowed_actions: ['approve'], rate: '5', outstanding: '50.00' });
    expect(await shop.pay(line.id)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    const approvals = await runConcurrently(10, () => shop.approve(line.id));
    expect(new Set(sortedStatuses(approvals))).toEqual(new Set([200]));
    expect(approvals[0]!.body.data).toMatchObject({ status: 'approved', allowed_actions: ['pay'] });
    const replies = await runConcurrently(20, () => shop.pay(line.id));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    expect(replies[0]!.body.data).toMatchObject({ status: 'paid', outstanding: '0.00', allowed_actions: [] });
    expect(await shop.readOutstanding(id)).toMatchObject(totals('50.00', '0.00', '0.00', { paid: '50.00' }));
    expect(await shop.sides(line.id)).toEqual({ 'Commissions payable': '50.00', Cash: '-50.00' });
    const moved = (await ours.owner.get(`/api/bank-transactions?source_id=${line.id}`)).body.data;
    expect(moved).toMatchObject([{ direction: 'out', amount: '50.00', counterparty: 'Sam Seller' }]);
  });

  test('claws back a paid commission after a return, and offsets it in the next payout', async () => {
    const { id } = await shop.agent();
    const invoice = await shop.createInvoice(id, '7', '1000.00');
    const [first] = await shop.lines(id);
    await shop.approve(first.id);
    await shop.pay(first.id);
    await shop.complete(await shop.createReturn(invoice, '1'));
    expect(await shop.readOutstanding(id)).toMatchObject(
      totals('250.00', '0.00', '-50.00', { paid: '250.00', adjusted: '-50.00' }),
    );
    const [, clawback] = await shop.lines(id);
    expect(clawback).toMatchObject({ kind: 'clawback', amount: '-50.00', base_amount: '-1000.00', status: 'accrued' });
    await shop.createInvoice(id, '1', '3000.00');
    const [, , next] = await shop.lines(id);
    await shop.approve(next.id);
    const invalidField = { status: 422, body: { errors: { 'set_off_ids.0': [expect.any(String)] } } };
    expect(await shop.pay(next.id, { set_off_ids: [clawback.id] })).toMatchObject(invalidField);
    await shop.approve(clawback.id);
    expect(await shop.pay(next.id, { set_off_ids: [clawback.id] })).toMatchObject({ status: 200 });
    expect((await shop.lines(id)).map(({ status }: { status: string }) => status)).toEqual(['paid', 'paid', 'paid']);
    expect(await shop.readOutstanding(id)).toMatchObject(
      totals('340.00', '0.00', '0.00', { paid: '290.00', adjusted: '-50.00' }),
    );
    const moved = (await ours.owner.get(`/api/bank-transactions?source_id=${next.id}`)).body.data;
    expect(moved).toMatchObject([{ direction: 'out', amount: '40.00' }]);
  });

  test('pays or reverses during a concurrent return, but not both', async () => {
    const { id } = await shop.agent();
    const invoice = await shop.createInvoice(id, '7', '1000.00');
    const [line] = await shop.lines(id);
    await shop.approve(line.id);
    const returnId = await shop.createReturn(invoice, '7');
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 ? shop.pay(line.id) : shop.complete(returnId))),
    );
    expect(new Set(sortedStatuses(replies.filter((__, at) => at % 2 === 0)))).toEqual(new Set([200]));
    const { currencies } = await shop.readOutstanding(id);
    const [now] = await shop.lines(id);
    expect(currencies).toMatchObject([
      now.status === 'paid'
        ? { reversed: '0.00', paid: '250.00', adjusted: '-250.00', outstanding: '-250.00' }
        : { reversed: '250.00', paid: '0.00', adjusted: '0.00', outstanding: '0.00' },
    ]);
  });

  test('is rejected before the sale, in a locked period, or from a foreign account', async () => {
    const { id } = await shop.agent(FIVE);
    await shop.createInvoice(id, '1', '1000.00');
    const [line] = await shop.lines(id);
    await shop.approve(line.id);
    const invalidField = (field: string) => ({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
    expect(await shop.pay(line.id, { date: '2026-03-09' })).toMatchObject(invalidField('date'));
    expect(await shop.pay(line.id, { bank_account_id: randomUUID() })).toMatchObject(invalidField('bank_account_id'));
    const foreign = await shop.bank({ currency: 'USD' });
    expect(await shop.pay(line.id, { bank_account_id: foreign.id })).toMatchObject(invalidField('bank_account_id'));
    await shop.make('period-locks', { scope: 'banking', locked_through: '2026-04-30', reason: 'Closed' });
    expect(await shop.pay(line.id)).toMatchObject({ status: 409, body: { code: 'period_locked' } });
    expect(await shop.lines(id)).toMatchObject([{ status: 'approved', outstanding: '50.00' }]);
  });
});

describe('the commissions that an agent sees', () => {
  test('are limited to their own commissions for the record scope "own"', async () => {
    const [mine, other] = [await shop.agent(FIVE), await shop.agent(FIVE)];
    await shop.createInvoice(mine.id, '1', '100.00');
    await shop.createInvoice(other.id, '1', '200.00');
    const rights = { can: everything, modules: ['sales_agent'], record_scopes: { commission: 'own' as const } };
    const seller = ours.member({ ...rights, user_id: mine.user_id });
    const ids = async (path: string) => (await seller.get(path)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids('/api/agents')).toEqual([mine.id]);
    expect(await ids('/api/commission-plans')).toEqual([mine.plan_id]);
    expect((await seller.get('/api/commissions')).body.data).toMatchObject([{ agent_id: mine.id }]);
    expect(await seller.get(`/api/agents/${mine.id}/outstanding-commissions`)).toMatchObject({ status: 200 });
    const [hidden] = await shop.lines(other.id);
    for (const path of [
      `/api/agents/${other.id}/outstanding-commissions`,
      `/api/agent/show/${other.id}`,
      `/api/commission/show/${hidden.id}`,
    ])
      expect(await seller.get(path)).toMatchObject({ status: 404 });
    expect(await seller.post(`/api/commission/approve/${hidden.id}`)).toMatchObject({ status: 404 });
    expect(await seller.delete(`/api/agent/delete/${other.id}`)).toMatchObject({ status: 404 });
    expect(await seller.delete(`/api/commission-plan/delete/${other.plan_id}`)).toMatchObject({ status: 404 });
    expect(await seller.post(`/api/agent/update/${other.id}`, { name: 'Mine' })).toMatchObject({ status: 404 });
    expect((await ours.owner.get(`/api/agent/show/${other.id}`)).body.data).toMatchObject({ name: 'Sam Seller' });
  });
});
