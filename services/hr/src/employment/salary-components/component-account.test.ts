import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';

const { company, finance } = await openHr();
let acme: TestWorkspace;
beforeEach(async () => {
  acme = await company();
});

const meals = { code: 'meals', name: 'Meals', kind: 'deduction', calc: 'fixed', amount: '40.00' };
const create = (body: object) => acme.owner.post('/api/salary-component/create', { ...meals, ...body });

test('posts a component to a valid account of finance, or to the default one', async () => {
  const [account_id, unknownAccount] = [finance.account('payroll'), randomUUID()];
  const refused = { status: 422, body: { errors: { account_id: ['Account not found.'] } } };
  expect(await create({ account_id: unknownAccount })).toMatchObject(refused);
  const created = await create({ account_id });
  expect(created).toMatchObject({ status: 201, body: { data: { account_id } } });
  const path = `/api/salary-component/update/${created.body.data.id}`;
  expect(await acme.owner.post(path, { account_id: unknownAccount })).toMatchObject(refused);
  expect(await acme.owner.post(path, { account_id: null })).toMatchObject({ body: { data: { account_id: null } } });
});
