import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { commissionSteps, TIERS } from '../../../test/commissions.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';

const fixture = await openFinance();
let ours: Company;
let shop: ReturnType<typeof commissionSteps>;
beforeEach(async () => {
  ours = await fixture.company();
  shop = commissionSteps(ours, fixture);
});

const invalidField = (field: string) => ({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
const inUse = { status: 409, body: { code: 'in_use' } };

describe('a commission plan', () => {
  test('is stored as entered, updated and deleted', async () => {
    const plan = await shop.createRecord('commission-plan', {
      name: 'Tiers',
      ...TIERS,
      min: '5',
      valid_from: '2026-01-01',
    });
    expect(plan).toMatchObject({
      name: 'Tiers',
      type: 'tiered',
      base: 'net',
      trigger: 'posting',
      rate: null,
      active: true,
      version: 1,
      tiers: [
        { up_to: '5000.00', rate: '3' },
        { up_to: '10000.00', rate: '5' },
      ],
      min: '5.00',
      valid_from: '2026-01-01',
      valid_to: null,
    });
    const patch = { type: 'percent', tiers: null, rate: '2.5', version: 1 };
    const changed = await ours.owner.post(`/api/commission-plan/update/${plan.id}`, patch);
    expect(changed.body.data).toMatchObject({ type: 'percent', rate: '2.5', tiers: null, min: '5.00', version: 2 });
    expect(await ours.owner.post(`/api/commission-plan/update/${plan.id}`, patch)).toMatchObject({ status: 412 });
    expect(await ours.owner.delete(`/api/commission-plan/delete/${plan.id}`)).toMatchObject({ status: 200 });
    const gone = await ours.owner.post(`/api/commission-plan/update/${plan.id}`, { name: 'Gone' });
    expect(gone).toMatchObject({ status: 404 });
  });

  test.each<[string, object, string]>([
    ['without its rate', { type: 'percent' }, 'rate'],
    ['with a rate in addition to its fixed amount', { type: 'fixed', fixed_amount: '5', rate: '5' }, 'rate'],
    ['with a rate above 100 percent', { type: 'percent', rate: '100.1' }, 'rate'],
    ['with a fraction of a cent', { type: 'fixed', fixed_amount: '0.001' }, 'fixed_amount'],
    ['as a hybrid with one part', { type: 'hybrid', fixed_amount: '5' }, 'rate'],
    [
      'if its tiers decrease',
      {
        type: 'tiered',
        tiers: [
          { up_to: '9', rate: '1' },
          { up_to: '8', rate: '2' },
        ],
      },
      'tiers.1.up_to',
    ],
    [
      'if its first tier has no end',
      {
        type: 'tiered',
        tiers: [
          { up_to: null, rate: '1' },
          { up_to: '8', rate: '2' },
        ],
      },
      'tiers.0.up_to',
    ],
    ['if its minimum exceeds its maximum', { type: 'percent', rate: '5', min: '2', max: '1' }, 'max'],
    [
      'if it ends before it begins',
      { type: 'percent', rate: '5', valid_from: '2026-02-01', valid_to: '2026-02-01' },
      'valid_to',
    ],
  ])('is rejected %s', async (_, body, field) => {
    expect(await shop.make('commission-plan', { name: 'Wrong', ...body })).toMatchObject(invalidField(field));
  });
});

describe('an agent', () => {
  test('is a user of the workspace, with a unique code and an existing plan', async () => {
    const { plan_id, code, user_id } = await shop.agent();
    const body = { user_id, name: 'Second', code: 'S-2', plan_id };
    expect(await shop.make('agent', { ...body, user_id: randomUUID() })).toMatchObject(invalidField('user_id'));
    const gone = fixture.platform.hire(ours.workspace, { status: 'disabled' });
    expect(await shop.make('agent', { ...body, user_id: gone })).toMatchObject(invalidField('user_id'));
    expect(await shop.make('agent', { ...body, plan_id: randomUUID() })).toMatchObject(invalidField('plan_id'));
    expect(await shop.make('agent', { ...body, code })).toMatchObject({
      status: 409,
      body: { errors: { code: [expect.any(String)] } },
    });
    expect(await shop.createRecord('agent', body)).toMatchObject({ ...body, active: true, plan: { id: plan_id } });
  });

  test('is rejected on an invoice if unknown, archived or of another workspace', async () => {
    const otherShop = commissionSteps(await fixture.company(), fixture);
    const foreign = await otherShop.agent();
    const { id } = await shop.agent();
    const customer_id = (await shop.customer()).id;
    const lines = [{ description: 'Advice', qty: '1', unit_price: '10.00' }];
    const draft = (agent_id: string) =>
      shop.make('sales-invoice', { customer_id, invoice_date: '2026-03-10', lines, agent_id });
    for (const agent_id of [foreign.id, randomUUID()])
      expect(await draft(agent_id)).toMatchObject(invalidField('agent_id'));
    const { data } = (await draft(id)).body;
    expect(data).toMatchObject({ agent_id: id });
    expect((await ours.owner.get(`/api/sales-invoice?agent_id=${id}`)).body.data).toMatchObject([{ id: data.id }]);
    await ours.owner.post(`/api/agent/update/${id}`, { active: false });
    expect(await draft(id)).toMatchObject(invalidField('agent_id'));
    const change = (agent_id: string | null) => ours.owner.post(`/api/sales-invoice/update/${data.id}`, { agent_id });
    expect(await change(foreign.id)).toMatchObject(invalidField('agent_id'));
    expect(await change(null)).toMatchObject({ status: 200, body: { data: { agent_id: null } } });
    for (const path of [`/api/agent/show/${foreign.id}`, `/api/agents/${foreign.id}/outstanding-commissions`])
      expect(await ours.owner.get(path)).toMatchObject({ status: 404 });
  });

  test('cannot be deleted after a sale, nor can the plan of an agent', async () => {
    const { id, plan_id } = await shop.agent();
    expect(await ours.owner.delete(`/api/commission-plan/delete/${plan_id}`)).toMatchObject(inUse);
    await shop.createInvoice(id, '1', '10.00');
    expect(await ours.owner.delete(`/api/agent/delete/${id}`)).toMatchObject(inUse);
    const unused = await shop.agent();
    expect(await ours.owner.delete(`/api/agent/delete/${unused.id}`)).toMatchObject({ status: 200 });
    expect(await ours.owner.delete(`/api/commission-plan/delete/${unused.plan_id}`)).toMatchObject({ status: 200 });
  });
});
