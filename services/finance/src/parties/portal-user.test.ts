import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { type Company, everything, openFinance } from '../../test/fixture.ts';

const { serving, platform, company } = await openFinance();
let ours: Company;
beforeEach(async () => {
  ours = await company();
});

const links = [
  ['customer', 'client', ['customer.view', 'sales_invoice.view', 'proposal.view']],
  ['vendor', 'vendor', ['vendor.view', 'purchase_invoice.view', 'purchase_return.view']],
] as const;

describe.each(links)('the account linked to a %s in the portal', (noun, kind, needed) => {
  const make = async (body: object = {}, by = ours.owner) =>
    await by.post(`/api/${noun}s/create`, { name: 'Initech', ...body });
  const link = (id: string, user_id: string | null, by = ours.owner) =>
    by.post(`/api/${noun}s/update/${id}`, { user_id });
  const account = (workspace = ours.workspace) => platform.hire(workspace, { kind });
  const record = async () => (await make()).body.data.id as string;

  test.each([
    ['nobody', () => randomUUID()],
    ['an account of another workspace', () => account(randomUUID())],
    ['a colleague', () => platform.hire(ours.workspace)],
  ])('is not %s', async (_, whom) => {
    const user_id = whom();
    for (const reply of [await make({ user_id }), await link(await record(), user_id)])
      expect(reply).toMatchObject({ status: 422, body: { errors: { user_id: [expect.any(String)] } } });
  });

  test.each(needed)('requires a caller with access to what the account can see: %s', async (permission) => {
    const id = await record();
    const without = ours.member({ can: everything.filter((may) => may !== permission) });
    const refused = { status: 403, body: { code: 'forbidden', details: { permission, field: 'user_id' } } };
    expect(await link(id, account(), without)).toMatchObject(refused);
    expect(await make({ user_id: account() }, without)).toMatchObject(refused);
    const noun_of = permission.split('.')[0]!;
    const limited = ours.member({ record_scopes: { [noun_of]: 'own' } });
    const own = (await make({}, limited)).body.data.id;
    expect(await link(own, account(), limited)).toMatchObject(refused);
  });

  test('is linked to one record only, even by ten concurrent requests', async () => {
    const user_id = account();
    const ids = await Promise.all(Array.from({ length: 10 }, record));
    const replies = await runConcurrently(10, (at) => link(ids[at]!, user_id));
    expect(sortedStatuses(replies)).toEqual([200, ...Array(9).fill(409)]);
    expect(await make({ user_id })).toMatchObject({ status: 409, body: { code: 'account_linked' } });
  });

  test('is removed or repeated without them, and each change is announced once', async () => {
    const user_id = account();
    const id = (await make({ user_id })).body.data.id;
    const editor = ours.member({ can: [`${noun}.update`] });
    expect((await link(id, user_id, editor)).status).toBe(200);
    expect((await link(id, null, editor)).status).toBe(200);
    const events = await serving.sql`
      SELECT data FROM journal_events WHERE aggregate_id = ${id} AND type LIKE '%portal_user_changed' ORDER BY position`;
    expect(events.map(({ data }) => data)).toEqual([
      { [`${noun}_id`]: id, user_id },
      { [`${noun}_id`]: id, user_id: '' },
    ]);
  });
});

describe('the account of an agent', () => {
  test.each(['commission.view', 'sales_invoice.view'])('can be linked only with %s', async (permission) => {
    const plan = { name: 'Flat', type: 'percent', rate: '5', base: 'net', trigger: 'posting' };
    const plan_id = (await ours.owner.post('/api/commission-plan/create', plan)).body.data.id;
    const body = { user_id: platform.hire(ours.workspace), name: 'Sally', code: 'S', plan_id };
    const without = ours.member({ can: everything.filter((may) => may !== permission) });
    expect(await without.post('/api/agent/create', body)).toMatchObject({
      status: 403,
      body: { details: { permission, field: 'user_id' } },
    });
  });
});
