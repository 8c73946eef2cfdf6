import { describe, expect, test } from '@jest/globals';
import { waitFor, freezeClock } from '@suite/testing';
import { openBilling } from '../../../test/billed-time.ts';

const { set, serving, finance, violations, books, sweep, invoice, entries, statusesOf, approved } = await openBilling();

describe('billing with a lost response', () => {
  /** Simulates a lost response about a draft. @returns the run and its draft */
  async function loseResponse() {
    await approved(60);
    finance.trouble.push('lost');
    expect((await invoice()).status).toBe(503);
    const [{ billing_run_id }] = await entries();
    const { id: sales_invoice_id } = [...finance.drafts.values()].at(-1)!;
    return { billing_run_id, sales_invoice_id };
  }
  const sale = { sales_order_id: '', proposal_id: '', total: '80', currency: 'EUR', invoice_date: '2026-06-10' };
  const emitInvoiceEvent = (
    verb: string,
    { billing_run_id, sales_invoice_id }: Awaited<ReturnType<typeof loseResponse>>,
  ) =>
    books.say(
      set.opened.workspace,
      `finance.sales_invoice.${verb}`,
      {
        sales_invoice_id,
        source_type: 'time',
        source_id: billing_run_id,
        number: 'INV-1',
        lines: [],
        customer_id: set.customer_id,
        ...sale,
      },
      { position: verb === 'posted' ? 1 : 2 },
    );
  const sweepLater = async () => {
    const still = freezeClock(new Date(Date.now() + 20_000).toISOString());
    await sweep().catch(() => undefined);
    still.goTo(new Date().toISOString());
  };

  test.each([false, true])('is complete once its draft is posted (after a sweep: %s)', async (isSwept) => {
    const draft = await loseResponse();
    finance.posted.add(draft.sales_invoice_id);
    if (isSwept) await sweepLater();
    expect(await statusesOf()).toEqual(['approved']);
    await emitInvoiceEvent('posted', draft);
    expect(await entries()).toMatchObject([
      { status: 'invoiced', invoice_id: draft.sales_invoice_id, invoiced_amount: '80.00' },
    ]);
    await sweepLater();
    expect(await statusesOf()).toEqual(['invoiced']);
    expect(await violations(set.opened)).toEqual([]);
  });

  test('releases time if its draft was posted and cancelled, in any order of events', async () => {
    const draft = await loseResponse();
    finance.posted.add(draft.sales_invoice_id);
    await sweepLater();
    finance.posted.delete(draft.sales_invoice_id);
    await emitInvoiceEvent('cancelled', draft);
    await waitFor(async () => {
      await sweepLater();
      expect((await entries())[0].billing_run_id).toBeNull();
    });
    await emitInvoiceEvent('posted', { ...draft });
    expect(await invoice()).toMatchObject({ status: 201 });
    expect(await violations(set.opened)).toEqual([]);
  });

  test('returns billing_pending if time is released during a repeated request', async () => {
    await approved(60);
    finance.trouble.push('down');
    expect((await invoice()).status).toBe(503);
    const lock = await serving.admin.connect();
    // The request waits here between the query for free time and the query for claimed time.
    await lock.query('BEGIN; LOCK TABLE work_items IN ACCESS EXCLUSIVE MODE');
    const input = invoice();
    await waitFor(async () => {
      const waiting = await serving.sql`SELECT FROM pg_locks WHERE NOT granted AND relation = 'work_items'::regclass`;
      expect(waiting).toHaveLength(1);
    });
    await lock.query('UPDATE time_entries SET billing_run_id = NULL WHERE project_id = $1', [set.project.id]);
    await lock.query('COMMIT');
    lock.release();
    expect(await input).toMatchObject({ status: 409, body: { code: 'billing_pending' } });
  });
});
