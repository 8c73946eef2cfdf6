import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, freezeClock, runConcurrently } from '@suite/testing';
import { expectCleanBooks } from '../../test/audit.ts';
import { booksFixture } from '../../test/books.ts';
import { type Company, openFinance } from '../../test/fixture.ts';

const { serving, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));
let ours: Company;
beforeEach(async () => {
  ours = await company();
});

describe.each([
  ['customer', 'CUS', 'Trade receivables'],
  ['vendor', 'VEN', 'Trade payables'],
])('a %s', (kind, prefix, account) => {
  const create = (body: object = {}) => ours.owner.post(`/api/${kind}s/create`, { name: 'Initech', ...body });
  const update = (id: string, body: object) => ours.owner.post(`/api/${kind}s/update/${id}`, body);
  const remove = (id: string) => ours.owner.delete(`/api/${kind}s/delete/${id}`);

  test('gets the next code of its series, even in fifty concurrent requests', async () => {
    const replies = await runConcurrently(50, () => create());
    const codes = replies.map(({ body }) => body.data.code as string).toSorted();
    expect(codes).toEqual(Array.from({ length: 50 }, (_, at) => `${prefix}-${String(at + 1).padStart(5, '0')}`));
  });

  test('starts with an opening balance, shown as outstanding and overdue', async () => {
    freezeClock('2026-06-01T10:00:00Z');
    const reply = await create({ opening_balance: '70.00', opening_date: '2026-05-01', credit_limit: '100.00' });
    expect(reply).toMatchObject({
      status: 201,
      body: {
        data: { balance: '70.00', overdue_balance: '70.00', credit_available: '30.00', opening_balance: '70.00' },
      },
    });
    const [control] = (await ours.owner.get(`/api/gl-accounts?name=${account}&expand=type`)).body.data;
    expect(control).toMatchObject({ balance: '70.00', type: { class: kind === 'customer' ? 'asset' : 'liability' } });
  });

  test('requires a rate for its opening balance in a foreign currency', async () => {
    const foreign = { currency: 'USD', opening_balance: '100.00', opening_date: '2026-01-01' };
    expect(await create(foreign)).toMatchObject({
      status: 422,
      body: { errors: { opening_rate: [expect.any(String)] } },
    });
    const opening = { opening_date: '2026-01-01', opening_rate: '0.9' };
    const { id, ...made } = (await create({ ...foreign, ...opening })).body.data;
    expect(made).toMatchObject(opening);
    expect((await ours.owner.get(`/api/${kind}s`)).body.data).toMatchObject([
      { id, balance: '100.00', base_balance: '90.00', opening_balance: '100.00', ...opening },
    ]);
    expect(await update(id, { currency: 'EUR' })).toMatchObject({ status: 409, body: { code: 'in_use' } });
  });

  test('can be archived if it has entries, and deleted if it has none', async () => {
    const held = (await create({ opening_balance: '5.00', opening_date: '2026-01-01' })).body.data;
    expect(await remove(held.id)).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { open_items: 1, payments: 0 } },
    });
    expect(await update(held.id, { active: false })).toMatchObject({
      status: 200,
      body: { data: { active: false, version: 2 } },
    });
    const free = (await create({ name: 'Globex' })).body.data;
    const picker = `/api/get-${kind === 'customer' ? 'clients' : 'vendors'}`;
    expect((await ours.owner.get(picker)).body.data).toMatchObject([
      { id: free.id, name: 'Globex', code: `${prefix}-00002` },
    ]);
    expect(await remove(free.id)).toMatchObject({ status: 200, body: { data: { deleted: true } } });
    expect(await remove(free.id)).toMatchObject({ status: 404 });
  });

  test('is found by a search, and its external ID is unique', async () => {
    const external_id = randomUUID();
    await create({ external_id, company: 'Initech GmbH', email: 'Kim@Example.com' });
    await create({ name: 'Globex' });
    expect((await ours.owner.get(`/api/${kind}s?q=initech gm`)).body.data).toMatchObject([
      { email: 'kim@example.com' },
    ]);
    expect(
      (await ours.owner.get(`/api/${kind}s?updated_at[gte]=2020-01-01T00:00:00Z&sort=name`)).body.data,
    ).toHaveLength(2);
    expect(await create({ external_id })).toMatchObject({
      status: 409,
      body: { errors: { external_id: [expect.any(String)] } },
    });
  });

  test('rejects a change with a stale version', async () => {
    const { id } = (await create({ metadata: { tier: 'gold' } })).body.data;
    const replies = await runConcurrently(5, () => update(id, { version: 1, phone: '+49 30 1234' }));
    expect(sortedStatuses(replies)).toEqual([200, 412, 412, 412, 412]);
  });

  test('is rejected without effect if its opening balance is in a locked period', async () => {
    const scope = kind === 'customer' ? 'sales' : 'purchases';
    await ours.owner.post('/api/period-locks/create', { scope, locked_through: '2026-01-31', reason: 'Closed' });
    const reply = await create({ opening_balance: '5.00', opening_date: '2026-01-31' });
    expect(reply).toMatchObject({ status: 409, body: { code: 'period_locked' } });
    expect((await ours.owner.get(`/api/${kind}s`)).body.data).toEqual([]);
    expect((await booksFixture(ours)[kind as 'customer']()).code).toBe(`${prefix}-00001`);
  });
});

test('other services receive name, portal user and active status of a customer', async () => {
  const { id } = (await ours.owner.post('/api/customers/create', { name: 'Initech' })).body.data;
  const update = (body: object) => ours.owner.post(`/api/customers/update/${id}`, body);
  for (const body of [{ name: 'Initrode' }, { phone: '+49 30 1234' }, { active: false }]) await update(body);
  const events = await serving.sql`
    SELECT data FROM journal_events WHERE aggregate_id = ${id} AND type = 'finance.customer.updated' ORDER BY position`;
  expect(events.map(({ data }) => data)).toEqual([
    { customer_id: id, name: 'Initrode', active: true, user_id: '', version: 2 },
    { customer_id: id, name: 'Initrode', active: false, user_id: '', version: 4 },
  ]);
});

test('a search finds customers without accents and by their e-mail domain', async () => {
  await ours.owner.post('/api/customers/create', { name: 'Müller & Søn', email: 'anna@ax.example' });
  const findNames = async (q: string) =>
    (await ours.owner.get(`/api/customers?q=${encodeURIComponent(q)}`)).body.data.map(
      ({ name }: { name: string }) => name,
    );
  for (const q of ['muller', 'Müller', 'son', 'ax.example', 'anna'])
    expect(await findNames(q)).toEqual(['Müller & Søn']);
  expect(await findNames('moller')).toEqual([]);
});
