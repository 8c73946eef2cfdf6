import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher, start, sortedStatuses, runConcurrently } from '@suite/testing';
import { fakeFinance } from '@suite/testing/fakes/finance';
import { openWorkspace, rpcOf, type SignedIn, type TestWorkspace } from '../../../test/workspace.ts';
import { platform as contents } from '../../platform.ts';

const finance = fakeFinance();
const platform = await start(contents, { fakes: { finance: finance.served } });
const { say } = await eventPublisher(platform);
let acme: TestWorkspace;
let owner: SignedIn;
beforeEach(async () => {
  acme = await openWorkspace(platform);
  owner = await acme.as('owner');
});

const update = (body: object) => owner.put('/api/workspace/update', body);
const settings = async () => (await owner.get('/api/workspace')).body.data;
const announced = async () =>
  (
    await platform.sql`
      SELECT data FROM journal_events WHERE workspace_id = ${acme.id} AND type = 'platform.workspace.settings_changed' ORDER BY position`
  ).map(({ data }) => data);

const CHANGED = {
  base_currency: 'USD',
  country: 'US',
  timezone: 'America/New_York',
  fiscal_year_start: '10-01',
  week_start: 7,
};

describe('the settings of a workspace', () => {
  test('change together, in one event with all of them', async () => {
    const { status, body } = await update(CHANGED);
    expect({ status, data: body.data }).toMatchObject({ status: 200, data: CHANGED });
    expect(await settings()).toMatchObject(CHANGED);
    const { base_currency: currency, ...same } = CHANGED;
    expect(await announced()).toEqual([{ workspace_id: acme.id, currency, ...same }]);
  });

  test('apply to the next request of every user', async () => {
    await update(CHANGED);
    const { access_token: _ } = owner;
    const bearer = await rpcOf(platform).introspect({
      credential: { $case: 'session_id', value: owner.caller.session_id! },
      address: '203.0.113.7',
    });
    expect(bearer).toMatchObject({ currency: 'USD', timezone: 'America/New_York' });
  });

  test('emit nothing if they stay the same or if only other details change', async () => {
    const { timezone, week_start, country } = await settings();
    expect((await update({ timezone, week_start, country, name: 'Acme Two' })).status).toBe(200);
    expect(await announced()).toEqual([]);
  });

  test.each([
    ['base_currency', 'Euro'],
    ['base_currency', 'XXA'],
    ['country', 'Germany'],
    ['country', 'QX'],
    ['timezone', 'Berlin'],
    ['week_start', 0],
    ['week_start', 8],
    ['fiscal_year_start', '02-29'],
    ['fiscal_year_start', '2026-04-01'],
  ])('reject an invalid %s: %s', async (field, value) => {
    const { status, body } = await update({ [field]: value });
    expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: [field] });
    expect(await announced()).toEqual([]);
  });

  test('need the permission, and are recorded in the audit log', async () => {
    const staff = await acme.as('staff');
    expect((await staff.put('/api/workspace/update', { week_start: 7 })).status).toBe(403);
    await update({ week_start: 7 });
    const entries = await platform.sql`
      SELECT FROM journal_changes WHERE workspace_id = ${acme.id} AND table_name = 'workspaces'
        AND (before ->> 'week_start', after ->> 'week_start') = ('1', '7')`;
    expect(entries).toHaveLength(1);
  });
});

describe('the base currency', () => {
  test('stays if documents exist, with all other settings of the request', async () => {
    finance.books.used.add(acme.id);
    expect(await update({ base_currency: 'USD', week_start: 7 })).toMatchObject({
      status: 409,
      body: { code: 'currency_in_use', details: { used_by: ['sales_invoices'] } },
    });
    expect(await settings()).toMatchObject({ base_currency: 'EUR', week_start: 1 });
    expect(await announced()).toEqual([]);
  });

  test('is not requested from finance if the version is stale or a check fails', async () => {
    const { version } = await settings();
    expect((await update({ base_currency: 'USD', version: version + 1 })).status).toBe(412);
    expect((await update({ base_currency: 'USD', second_factor_required: true })).body.code).toBe('no_second_factor');
    expect(finance.books.books.has(acme.id)).toBe(false);
  });

  test('stays while finance does not respond, and the other settings can change', async () => {
    finance.trouble.push('down');
    expect((await update({ base_currency: 'USD' })).status).toBe(503);
    expect((await update({ week_start: 7 })).status).toBe(200);
    expect(await settings()).toMatchObject({ base_currency: 'EUR', week_start: 7 });
  });

  test('is copied from the event of finance if the request does not complete', async () => {
    finance.trouble.push('lost');
    expect((await update({ base_currency: 'USD' })).status).toBe(503);
    expect(await settings()).toMatchObject({ base_currency: 'EUR' });
    const books = { books_id: acme.id, ...finance.books.books.get(acme.id)! };
    await say(acme.id, 'finance.books.changed', books, { times: 3, position: 1 });
    expect(await settings()).toMatchObject({ base_currency: 'USD' });
    expect(await announced()).toMatchObject([{ currency: 'USD' }]);
    expect((await update({ base_currency: 'USD' })).status).toBe(200);
    expect(await announced()).toHaveLength(1);
  });

  test('is not replaced by an older event', async () => {
    await update({ base_currency: 'USD' });
    const older = { books_id: acme.id, ...finance.books.books.get(acme.id)! };
    await update({ base_currency: 'CHF' });
    await say(acme.id, 'finance.books.changed', older, { position: 1 });
    expect(await settings()).toMatchObject({ base_currency: 'CHF' });
  });

  test('ends as in finance after concurrent changes', async () => {
    const currencies = ['USD', 'CHF', 'GBP', 'SEK'];
    const replies = await runConcurrently(8, (at) => update({ base_currency: currencies[at % 4] }));
    expect(sortedStatuses(replies)).toEqual(Array.from({ length: 8 }, () => 200));
    const { base_currency } = finance.books.books.get(acme.id)!;
    expect(await settings()).toMatchObject({ base_currency });
    expect((await announced()).at(-1)).toMatchObject({ currency: base_currency });
  });
});
