import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { openBilling } from '../../../test/billed-time.ts';

const { set, finance, office, violations, invoice, entries, statusesOf, approved } = await openBilling();
const invalidField = (field: string) => ({ status: 422, body: { errors: { [field]: expect.anything() } } });

describe('a request for a bill', () => {
  test('returns the invalid field, and claims nothing', async () => {
    await approved(60);
    const before = finance.calls.length;
    const cases: [object, string][] = [
      [{ from: '2026-06-30', to: '2026-06-01' }, 'to'],
      [{ group_by: 'colour' }, 'group_by'],
      [{ entry_ids: [] }, 'entry_ids'],
      [{ entry_ids: [randomUUID()] }, 'entry_ids'],
      [{ invoice_date: '2400-01-01' }, 'invoice_date'],
      [{ taxes: [randomUUID()] }, 'taxes.0'],
      [{ colour: 'red' }, 'colour'],
    ];
    for (const [body, field] of cases) {
      const { status, body: answer } = await invoice(body);
      expect([status, Object.keys(answer.errors ?? {})]).toEqual([422, [field]]);
    }
    expect(await invoice({}, '?dry_run=maybe')).toMatchObject({ status: 422 });
    expect([finance.calls.length, await statusesOf()]).toEqual([before, ['approved']]);
    // Second attempt, with the fault corrected.
    expect((await invoice({ from: '2026-06-01', to: '2026-06-30' })).status).toBe(201);
    expect(await violations(set.opened)).toEqual([]);
  });

  test('is billed once for twenty concurrent requests with one Idempotency-Key', async () => {
    await approved(60, 30);
    const headers = { 'idempotency-key': 'once' };
    const createInvoice = (body: object = {}) =>
      set.owner.post(`/api/project/invoice/${set.project.id}`, body, { headers });
    const replies = await runConcurrently(20, () => createInvoice());
    const done = replies.filter(({ status }) => status === 201);
    expect(new Set(sortedStatuses(replies))).toEqual(new Set(done.length < 20 ? [201, 409] : [201]));
    expect(new Set(done.map(({ body }) => body.data.billing_run_id)).size).toBe(1);
    const again = await createInvoice();
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(done[0]!.body);
    expect((await createInvoice({ group_by: 'entry' })).status).toBe(422);
    expect(finance.drafts.size).toBeGreaterThan(0);
    expect(
      [...finance.drafts.values()].filter(({ asked: input }) => input.customer_id === set.customer_id),
    ).toHaveLength(1);
    expect(await violations(set.opened)).toEqual([]);
  });

  test('requires the project, its workspace and the permission to invoice', async () => {
    await approved(60);
    const outsider = (await office()).owner;
    expect(await outsider.post(`/api/project/invoice/${set.project.id}`, {})).toMatchObject({ status: 404 });
    for (const kind of ['client', 'vendor'] as const)
      expect(await invoice({}, '', set.opened.member({ kind, can: [] }))).toMatchObject({ status: 403 });
    const [{ id }] = await entries();
    const other = await set.owner.post('/api/projects/create', { name: 'Other', customer_id: set.customer_id });
    expect(await set.owner.post(`/api/project/invoice/${other.body.data.id}`, { entry_ids: [id] })).toMatchObject(
      invalidField('entry_ids'),
    );
    expect(await statusesOf()).toEqual(['approved']);
  });

  test('bills approved billable time, and leaves other time unchanged', async () => {
    const [first, second] = await approved(60, 30);
    const track = (day: string, more: object) =>
      set.worker.post('/api/add-tracker', {
        project_id: set.project.id,
        started_at: `${day}T08:00:00Z`,
        ended_at: `${day}T09:00:00Z`,
        ...more,
      });
    const free = (await track('2026-06-10', { billable: false })).body.data.id;
    await set.worker.post('/api/timesheet/submit', { from: '2026-06-10', to: '2026-06-10' });
    await set.owner.post('/api/timesheet/approve', { entry_ids: [free] });
    const open = (await track('2026-06-11', {})).body.data.id;
    const { body } = await invoice({ entry_ids: [first, free, open] });
    expect(body.data).toMatchObject({ entries: 1, seconds: 3_600 });
    const rows = (await entries()) as { id: string; status: string }[];
    const statusOf = (id: string | undefined) => rows.find((row) => row.id === id)?.status;
    expect([first, second, free, open].map(statusOf)).toEqual(['invoiced', 'approved', 'approved', 'stopped']);
    expect(await violations(set.opened)).toEqual([]);
  });
});
