import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { eventPublisher, methodClients, sortedStatuses, freezeClock, runConcurrently } from '@suite/testing';
import { expectCleanBooks } from '../../../test/audit.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';
import { financeRpc } from '../../rpc/finance.rpc.ts';

const { serving, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));
const { say } = await eventPublisher(serving);
const clients = methodClients(serving, { ...financeRpc, definition: FinanceServiceDefinition });
let ours: Company;
beforeEach(async () => {
  ours = await company();
});

const change = (more: object) =>
  clients(ours.owner.caller).changeBooks({
    idempotency_key: randomUUID(),
    base_currency: '',
    fiscal_year_start: '',
    known_fiscal_year_start: '01-01',
    dry_run: false,
    ...more,
  });
const settings = async () => (await ours.owner.get('/api/accounting/settings')).body.data;
const customer = async (): Promise<string> =>
  (await ours.owner.post('/api/customers/create', { name: 'Initech', currency: 'EUR' })).body.data.id;
const draft = (customer_id: string) =>
  ours.owner.post('/api/sales-invoice/create', {
    customer_id,
    invoice_date: '2026-03-01',
    lines: [{ description: 'Advice', qty: '1', unit_price: '100.00' }],
  });

describe('the base currency', () => {
  test('changes while the books are unused, with the cash account and later postings', async () => {
    expect(await change({ base_currency: 'USD' })).toEqual({
      base_currency: 'USD',
      fiscal_year_start: '01-01',
      revision: 2,
    });
    expect(await settings()).toMatchObject({ base_currency: 'USD' });
    const [cash] = (await ours.owner.get('/api/bank-accounts')).body.data;
    expect(cash).toMatchObject({ is_cash: true, currency: 'USD' });
    const [event] =
      await serving.sql`SELECT data FROM journal_events WHERE type = 'finance.books.changed' AND workspace_id = ${ours.workspace}`;
    expect(event!.data).toEqual({
      books_id: ours.workspace,
      base_currency: 'USD',
      fiscal_year_start: '01-01',
      revision: 2,
    });
    // The customer has a currency of their own, which is foreign now.
    expect(await draft(await customer())).toMatchObject({
      status: 422,
      body: { errors: { rate: [expect.any(String)] } },
    });
  });

  test('stays once there is a draft, and changes after the draft has been deleted', async () => {
    const { id } = (await draft(await customer())).body.data;
    await expect(change({ base_currency: 'USD' })).rejects.toMatchObject({
      status: 409,
      code: 'currency_in_use',
      details: { used_by: ['sales_invoices'] },
    });
    await ours.owner.delete(`/api/sales-invoice/delete/${id}`);
    expect(await change({ base_currency: 'USD' })).toMatchObject({ base_currency: 'USD' });
  });

  test('cannot change after the first posting', async () => {
    const { id } = (await draft(await customer())).body.data;
    await ours.owner.post(`/api/sales-invoice/post/${id}`);
    await expect(change({ base_currency: 'USD' })).rejects.toMatchObject({
      details: { used_by: ['journal_entries', 'sales_invoices'] },
    });
    expect(await change({ base_currency: 'EUR' })).toMatchObject({ base_currency: 'EUR', revision: 1 });
  });

  test('never changes concurrently with a new document', async () => {
    const changes = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const place = await company();
        const id = (await place.owner.post('/api/customers/create', { name: 'Initech', currency: 'EUR' })).body.data.id;
        const body = {
          customer_id: id,
          invoice_date: '2026-03-01',
          lines: [{ description: 'Advice', qty: '1', unit_price: '100.00' }],
        };
        const changing = clients(place.owner.caller)
          .changeBooks({
            idempotency_key: randomUUID(),
            base_currency: 'USD',
            fiscal_year_start: '',
            known_fiscal_year_start: '01-01',
            dry_run: false,
          })
          .then(() => true)
          .catch((error: { code?: string }) => error.code);
        const replies = await runConcurrently(10, () => place.owner.post('/api/sales-invoice/create', body));
        return { changed: await changing, statuses: new Set(sortedStatuses(replies)) };
      }),
    );
    // Drafts without an exchange rate exist only in the currency of the books: either all fail, or the change.
    const outcomes = changes.map(({ changed, statuses: found }) => [
      changed,
      changed === true ? found.size === 1 && found.has(422) : found.has(201),
    ]);
    const possible = [
      [true, true],
      ['currency_in_use', true],
    ];
    expect(outcomes.filter((one) => !possible.some((other) => isDeepStrictEqual(one, other)))).toEqual([]);
  });

  test('is only checked by a dry run', async () => {
    expect(await change({ base_currency: 'USD', dry_run: true })).toMatchObject({ base_currency: 'USD' });
    expect(await settings()).toMatchObject({ base_currency: 'EUR' });
    await draft(await customer());
    await expect(change({ base_currency: 'USD', dry_run: true })).rejects.toMatchObject({ code: 'currency_in_use' });
  });
});

describe('the fiscal year', () => {
  const report = async () => (await ours.owner.get('/api/accounting/profit-and-loss')).body.data;

  test('changes with postings, and reports follow it', async () => {
    freezeClock('2026-06-15T12:00:00Z');
    await ours.owner.post(`/api/sales-invoice/post/${(await draft(await customer())).body.data.id}`);
    expect(await report()).toMatchObject({ from: '2026-01-01' });
    await change({ fiscal_year_start: '04-01' });
    expect(await report()).toMatchObject({ from: '2026-04-01' });
    expect(await settings()).toMatchObject({ fiscal_year_start: '04-01' });
  });

  test('begins on the day after the locked period, or stays', async () => {
    const lock = { scope: 'all', locked_through: '2025-09-30', reason: 'Year end' };
    await ours.owner.post('/api/period-locks/create', lock);
    await expect(change({ fiscal_year_start: '04-01' })).rejects.toMatchObject({
      status: 409,
      code: 'fiscal_year_locked',
      details: { locked_through: '2025-09-30', fiscal_year_start: '10-01' },
    });
    expect(await change({ fiscal_year_start: '10-01' })).toMatchObject({ fiscal_year_start: '10-01' });
  });
});

describe('the time zone', () => {
  const event = (workspace_id: string, timezone: string) => ({
    workspace_id,
    timezone,
    currency: 'EUR',
    fiscal_year_start: '04-01',
    week_start: 1,
  });
  const zone = async (workspace_id: string) =>
    (await serving.sql`SELECT timezone, fiscal_year_start FROM books WHERE workspace_id = ${workspace_id}`)[0];

  test('comes from the latest workspace event, in any order of delivery', async () => {
    const id = ours.workspace;
    await say(id, 'platform.workspace.settings_changed', event(id, 'Asia/Tokyo'), { position: 3, times: 2 });
    await say(id, 'platform.workspace.settings_changed', event(id, 'Europe/Paris'), { position: 2 });
    expect(await zone(id)).toMatchObject({ timezone: 'Asia/Tokyo' });
  });

  test('comes from the latest event if the event of the new workspace arrives later', async () => {
    const id = randomUUID();
    await say(id, 'platform.workspace.settings_changed', event(id, 'Asia/Tokyo'), { position: 3 });
    const first = { ...event(id, 'Europe/Paris'), name: 'Initech', owner_id: randomUUID(), fiscal_year_start: '07-01' };
    await say(id, 'platform.workspace.provisioned', first, { position: 1 });
    expect(await zone(id)).toEqual({ timezone: 'Asia/Tokyo', fiscal_year_start: '04-01' });
  });

  test('completes books that a caller has opened before, with the fiscal year', async () => {
    const id = ours.workspace;
    const first = { ...event(id, 'Europe/Paris'), name: 'Initech', owner_id: randomUUID() };
    await say(id, 'platform.workspace.provisioned', first, { position: 1 });
    expect(await zone(id)).toEqual({ timezone: 'Europe/Paris', fiscal_year_start: '04-01' });
  });
});
