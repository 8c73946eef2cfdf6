import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, sortedStatuses, runConcurrently } from '@suite/testing';
import { type Company, openFinance } from '../../test/fixture.ts';

const { company } = await openFinance();
let ours: Company;
let kim: Member;

const create = (as: Member, name = 'Initech') => as.post('/api/customers/create', { name });

beforeEach(async () => {
  ours = await company();
  kim = ours.member({ limits: { customers: 3 } });
});

describe('a plan with a limit of three customers', () => {
  test('rejects the fourth, and returns the current number', async () => {
    for (let number = 1; number <= 3; number += 1) expect((await create(kim)).status).toBe(201);
    expect(await create(kim)).toMatchObject({
      status: 409,
      body: { code: 'plan_limit', details: { limit: 'customers', allowed: 3, used: 3 } },
    });
    const v1 = { external_id: 'four', name: 'Four' };
    expect(await kim.post('/api/v1/customers', v1)).toMatchObject({ status: 409, body: { code: 'plan_limit' } });
    expect((await kim.post('/api/vendors/create', { name: 'Globex' })).status).toBe(201);
  });

  test('counts active customers only, so a reactivated customer counts again', async () => {
    const made = [];
    for (let number = 1; number <= 3; number += 1) made.push((await create(kim)).body.data);
    const [first] = made;
    expect((await kim.post(`/api/customers/update/${first.id}`, { active: false })).status).toBe(200);
    expect((await create(kim)).status).toBe(201);
    const reactivate = () => kim.post(`/api/customers/update/${first.id}`, { active: true });
    expect(await reactivate()).toMatchObject({ status: 409, body: { code: 'plan_limit', details: { used: 3 } } });
    expect((await kim.post(`/api/customers/update/${made[1].id}`, { active: true, name: 'Other' })).status).toBe(200);
    expect((await kim.post(`/api/customers/update/${first.id}`, { name: 'Archived still' })).status).toBe(200);
  });

  test('accepts one of fifty concurrent requests for the last place', async () => {
    await create(kim);
    await create(kim);
    const replies = await runConcurrently(50, (at) => create(kim, `Customer ${at}`));
    expect(sortedStatuses(replies)).toEqual([201, ...Array(49).fill(409)]);
  });

  test('keeps existing customers over the limit, and rejects only new ones', async () => {
    for (let number = 1; number <= 5; number += 1) await create(ours.owner);
    expect(await create(kim)).toMatchObject({ status: 409, body: { details: { allowed: 3, used: 5 } } });
    expect((await kim.get('/api/customers')).body.meta.total).toBe(5);
  });
});
