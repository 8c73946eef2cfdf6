import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { invalid } from '@suite/chassis/faults';
import { waitFor, freezeClock, runConcurrently } from '@suite/testing';
import { openBilling } from '../../../test/billed-time.ts';
import { workedProject } from '../../../test/worked-project.ts';
import { linesOf, billedTotal } from './billing.rules.ts';

const { set, serving, finance, inventory, violations, books, sweep, invoice, entries, statusesOf, approved } =
  await openBilling();

describe('billing', () => {
  test('creates one draft for approved time, and locks the time', async () => {
    const [first] = await approved(50, 20, 10);
    const tax = inventory.in(set.opened.workspace).tax();
    const { status, body } = await invoice({ taxes: [tax.tax_id] });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      entries: 3,
      seconds: 4_800,
      net: '106.67',
      lines: [
        {
          label: `${set.project.code}-1 Draw the page (2026-06-01 – 2026-06-03)`,
          seconds: 3_600,
          qty: '1',
          unit_price: '80.00',
          net: '80.00',
          entry_count: 2,
        },
        { label: 'Website (2026-06-02)', seconds: 1_200, qty: '0.333333', net: '26.67', entry_count: 1 },
      ],
    });
    const { billing_run_id: id, sales_invoice_id } = body.data;
    const draft = [...finance.drafts.values()].find((one) => one.id === sales_invoice_id)!;
    expect(draft.asked).toMatchObject({
      customer_id: set.customer_id,
      currency: 'EUR',
      lines: [
        {
          unit_name: 'h',
          qty: '1',
          unit_price: '80.0000',
          source: { type: 'time', id },
          taxes: [{ tax_id: tax.tax_id }],
        },
        {},
      ],
    });
    expect(await entries()).toMatchObject([
      { status: 'invoiced', invoice_id: sales_invoice_id, invoiced_amount: '66.67' },
      { status: 'invoiced', invoiced_amount: '26.67' },
      { status: 'invoiced', invoiced_amount: '13.33' },
    ]);
    expect(await set.worker.post(`/api/time-entry/update/${first}`, { description: 'No' })).toMatchObject({
      status: 409,
      body: { code: 'entry_invoiced' },
    });
    expect(await set.owner.post('/api/timesheet/reopen', { entry_ids: [first], reason: 'No' })).toMatchObject({
      status: 409,
      body: { code: 'entry_invoiced' },
    });
    expect(await invoice()).toMatchObject({ status: 409, body: { code: 'nothing_to_bill' } });
    expect(await violations(set.opened)).toEqual([]);
  });

  test('bills each minute once in ten concurrent requests', async () => {
    await approved(30, 45, 60, 75);
    const replies = await runConcurrently(10, () => invoice());
    const done = replies.filter(({ status }) => status === 201);
    expect(done.reduce((all, { body }) => all + body.data.entries, 0)).toBe(4);
    const others = replies.filter(({ body }) => ['nothing_to_bill', 'billing_pending'].includes(body.code));
    expect(others).toHaveLength(10 - done.length);
    expect(await invoice()).toMatchObject({ status: 409, body: { code: 'nothing_to_bill' } });
    expect(await violations(set.opened)).toEqual([]);
  });

  test('supports a dry run, which claims no time and creates no draft', async () => {
    await approved(60);
    const { size } = finance.drafts;
    expect(await invoice({}, '?dry_run=true')).toMatchObject({
      status: 201,
      body: { data: { billing_run_id: null, sales_invoice_id: null, net: '80.00' } },
    });
    expect([finance.drafts.size, await statusesOf()]).toEqual([size, ['approved']]);
    expect((await invoice()).status).toBe(201);
  });

  test('accepts an exchange rate, and returns the age of the last one', async () => {
    freezeClock('2026-06-30T12:00:00Z');
    await serving.sql`UPDATE projects SET currency = 'CHF' WHERE id = ${set.project.id}`;
    await approved(60);
    await serving.sql`UPDATE time_entries SET currency = 'CHF' WHERE project_id = ${set.project.id}`;
    finance.rates.set('CHF', { rate: '1.1', rate_date: '2026-06-01' });
    expect((await invoice({}, '?dry_run=true')).body.data).toMatchObject({
      sales_invoice_id: null,
      exchange_rate: { rate: '1.1', date: '2026-06-01', age_days: 29 },
    });
    expect(await statusesOf()).toEqual(['approved']);
    const { body } = await invoice({ rate: '1.2' });
    expect(body.data.exchange_rate).toEqual({ rate: '1.2', date: null, age_days: null });
    expect([...finance.drafts.values()].at(-1)!.asked).toMatchObject({ currency: 'CHF', rate: '1.2' });
  });

  test('validates the draft in finance, even in a dry run', async () => {
    await approved(60);
    finance.trouble.push('down');
    expect(await invoice({}, '?dry_run=true')).toMatchObject({ status: 503 });
    expect(await statusesOf()).toEqual(['approved']);
  });

  test('uses the requested days, entries and groups', async () => {
    const [, second] = await approved(60, 60, 60);
    expect((await invoice({ from: '2026-06-03', group_by: 'member' })).body.data).toMatchObject({
      entries: 1,
      lines: [{ label: 'Website (2026-06-03)' }],
    });
    expect((await invoice({ entry_ids: [second], group_by: 'entry' })).body.data).toMatchObject({
      entries: 1,
      lines: [{ label: '2026-06-02 Website' }],
    });
    expect((await invoice({ to: '2026-06-01', group_by: 'rate' })).body.data).toMatchObject({ entries: 1 });
  });

  test('includes member names only if the workspace setting allows it', async () => {
    await approved(60);
    const label = async () => (await invoice({ group_by: 'member' }, '?dry_run=true')).body.data.lines[0].label;
    expect(await label()).toBe('Website (2026-06-01)');
    await set.owner.post('/api/time-settings/update', { invoice_member_names: true });
    expect(await label()).toBe('Website: Kim Example (2026-06-01)');
  });

  test('releases the time when the draft is deleted or the invoice is cancelled', async () => {
    await approved(60);
    for (const [event, version] of [
      ['deleted', 1],
      ['cancelled', 1],
    ] as const) {
      const { billing_run_id, sales_invoice_id } = (await invoice()).body.data;
      expect(await statusesOf()).toEqual(['invoiced']);
      const invoiceEvent = {
        sales_invoice_id,
        source_type: 'time',
        source_id: billing_run_id,
        number: 'INV-1',
        sales_order_id: '',
        lines: [],
        proposal_id: '',
      };
      await books.say(set.opened.workspace, `finance.sales_invoice.${event}`, invoiceEvent, { position: version });
      await waitFor(async () => expect(await statusesOf()).toEqual(['approved']));
    }
    expect(await violations(set.opened)).toEqual([]);
  });

  test('releases the time when rejected, or by the schedule after a lost response', async () => {
    await approved(60);
    finance.meanwhile.push(() => Promise.reject(invalid('customer_id', 'This customer is archived.')));
    expect(await invoice()).toMatchObject({ status: 422 });
    expect([await statusesOf(), (await entries())[0].billing_run_id]).toEqual([['approved'], null]);
    finance.trouble.push('down');
    expect((await invoice()).status).toBe(503);
    const pending = await invoice();
    expect(pending).toMatchObject({ status: 409, body: { code: 'billing_pending' } });
    expect(pending.headers.get('retry-after')).not.toBeNull();
    expect(await invoice({}, '?dry_run=true')).toMatchObject({ status: 409, body: { code: 'billing_pending' } });
    const still = freezeClock(new Date(Date.now() + 20_000).toISOString());
    await sweep();
    still.goTo(new Date().toISOString());
    expect(await invoice()).toMatchObject({ status: 201 });
    expect(await violations(set.opened)).toEqual([]);
  });

  test('prevents moving its task to another project', async () => {
    await approved(60);
    const other = await workedProject(set.opened, { hourly_rate: '80', customer_id: set.customer_id });
    expect((await invoice()).status).toBe(201);
    expect(
      await set.owner.post(`/api/project/task/move/${set.project.task_id}`, { project_id: other.id }),
    ).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { invoiced: 1 } },
    });
  });

  test('prevents moving a task with time to a project in another currency', async () => {
    await approved(60);
    const dollarProject = await workedProject(set.opened, {
      hourly_rate: '80',
      customer_id: set.customer_id,
      currency: 'USD',
    });
    const move = (id: string) => set.owner.post(`/api/project/task/move/${id}`, { project_id: dollarProject.id });
    expect(await move(set.project.task_id)).toMatchObject({
      status: 409,
      body: { code: 'other_currency', details: { target: 'USD', time_entries: 1 } },
    });
    const { body } = await set.owner.post(`/api/project/${set.project.id}/task/create`, { title: 'New' });
    expect((await move(body.data.id)).status).toBe(200);
  });

  test('is pending in the project until its response is processed', async () => {
    const effects = async () => (await set.owner.get(`/api/project/show/${set.project.id}`)).body.data.pending_effects;
    await approved(60);
    expect(await effects()).toEqual([]);
    finance.trouble.push('down');
    expect((await invoice()).status).toBe(503);
    expect(await effects()).toEqual(['invoice_time']);
    expect(await violations(set.opened)).toEqual([]);
    // The database rejects changes of `created_at`.
    await serving.sql`ALTER TABLE billing_runs DISABLE TRIGGER USER`;
    await serving.sql`UPDATE billing_runs SET created_at = created_at - interval '2 hours' WHERE workspace_id = ${set.opened.workspace}`;
    await serving.sql`ALTER TABLE billing_runs ENABLE TRIGGER USER`;
    expect((await violations(set.opened)).map(({ check }) => check)).toEqual([
      'no time is claimed for an invoice for longer than an hour',
    ]);
    const still = freezeClock(new Date(Date.now() + 20_000).toISOString());
    await sweep();
    still.goTo(new Date().toISOString());
    expect(await effects()).toEqual([]);
    expect((await invoice()).status).toBe(201);
    expect(await effects()).toEqual([]);
    expect(await set.owner.delete(`/api/project/delete/${set.project.id}`)).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { time_entries: 1, expenses: 0, copies: 0 } },
    });
    expect(await set.owner.delete(`/api/project/${set.project.id}/task/delete/${set.project.task_id}`)).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { time_entries: 1 } },
    });
  });

  test('requires the permission to invoice, the manager role and a customer', async () => {
    await approved(60);
    expect(await invoice({}, '', set.opened.member({ can: ['time.view_all'] }))).toMatchObject({ status: 403 });
    const member = set.opened.hire();
    const other = await workedProject(set.opened, { members: { [member]: 'member' } });
    const staff = set.opened.member({
      user_id: member,
      can: ['sales_invoice.create'],
      record_scopes: { project: 'own' },
    });
    expect(await staff.post(`/api/project/invoice/${other.id}`, {})).toMatchObject({
      status: 403,
      body: { code: 'project_role' },
    });
    expect(await staff.post(`/api/project/invoice/${set.project.id}`, {})).toMatchObject({ status: 404 });
    expect(await set.owner.post(`/api/project/invoice/${other.id}`, {})).toMatchObject({
      status: 422,
      body: { errors: { customer_id: expect.anything() } },
    });
  });
});

test('sums entries to lines, and lines to the bill, for any grouping', () => {
  const entry = fc.record({
    id: fc.uuid(),
    user_id: fc.constantFrom('kim', 'robin'),
    user_name: fc.constant('Kim'),
    task_id: fc.constantFrom('one', 'two', null),
    task: fc.constant('WEB-1'),
    description: fc.constant(null),
    local_date: fc.constant('2026-06-01'),
    rounded_seconds: fc.integer({ min: 1, max: 86_400 }),
    hourly_rate: fc.constantFrom('80', '33.3333', '0', '0.01'),
  });
  const grouping = fc.constantFrom('task' as const, 'member' as const, 'rate' as const, 'entry' as const);
  const cents = (amount: string) => Math.round(Number(amount) * 100);
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 40 }), grouping, (time, by) => {
      const lines = linesOf(time, { project: 'Website', by, currency: 'EUR', names: false });
      for (const { net, entries: shares } of lines)
        expect(shares.reduce((all, { amount }) => all + cents(amount), 0)).toBe(cents(net));
      expect(billedTotal(lines, 'EUR')).toMatchObject({
        entries: time.length,
        seconds: time.reduce((all, { rounded_seconds }) => all + rounded_seconds, 0),
      });
    }),
  );
});
