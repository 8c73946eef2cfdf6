import { beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, freezeClock, runConcurrently } from '@suite/testing';
import { FLAT_TAX_COMPONENTS, EXAMPLE_COMPONENTS } from '../../../test/payroll.ts';
import { account, openPaymentFixture, type PaymentFixture } from '../../../test/payments.ts';

const { serving, finance, paying, sweep } = await openPaymentFixture();
const { ledger } = finance;
let acme: PaymentFixture;
beforeEach(async () => {
  freezeClock('2026-06-30T12:00:00Z');
  for (const store of [ledger.journals, ledger.payouts]) store.clear();
  finance.trouble.length = 0;
  ledger.locked.through = '';
  acme = await paying();
});

const componentsOf = (ids: Record<string, string>) => Object.values(ids).map((component_id) => ({ component_id }));
const approve = (id: string, body: object = {}, query = '') =>
  acme.approver.post(`/api/payroll/approve/${id}${query}`, body);
const unreversedJournals = () => [...ledger.journals.values()].filter(({ reversed_on }) => !reversed_on);
const sides = () =>
  unreversedJournals().flatMap(({ asked: journalRequest }) =>
    journalRequest.lines.map(({ account, debit, credit, memo }) => [account?.value, memo, debit || `-${credit}`]),
  );

/**
 * Hires Ada for 4,250.00 a month with one unpaid day and no loan, and Bob for 3,000.00 with one unpaid day, an
 * allowance of 300.00 and flat tax, without pension.
 */
async function hireBoth(): Promise<void> {
  const [exampleIds, flatTaxIds] = [
    await acme.components(EXAMPLE_COMPONENTS),
    await acme.components(FLAT_TAX_COMPONENTS.filter(({ code }) => code !== 'pension')),
  ];
  await acme.holiday('2026-06-04');
  const ada = await acme.hire({
    salary: { basis: 'monthly', amount: '4250.00', components: componentsOf(exampleIds) },
    ytd_opening: { taxable: '19668.10', tax: '3650.44' },
    bank: account,
  });
  await acme.leave(ada, '2026-06-10', { paid: false });
  const bob = await acme.hire({
    name: 'Bob',
    salary: { basis: 'monthly', amount: '3000.00', components: componentsOf(flatTaxIds) },
    bank: account,
  });
  await acme.leave(bob, '2026-06-08', { paid: false });
}
const hire = (name = 'Ada') => acme.hire({ name, salary: { basis: 'monthly', amount: '3000.00' }, bank: account });

describe('approving a run', () => {
  test('is rejected for an account that finance cannot post to, in a dry run too', async () => {
    await hire();
    const { id } = await acme.calculated();
    const tried = (await approve(id, {}, '?dry_run=true')).body.data;
    expect([tried.status, ledger.journals.size]).toEqual(['approved', 0]);
    ledger.unusable.add('salaries_payable');
    const answers = [await approve(id, {}, '?dry_run=true'), await approve(id)];
    ledger.unusable.clear();
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 422,
        body: {
          errors: {
            [`lines.${tried.journal.length - 1}.account`]: [
              'This account cannot be posted to. Choose another account.',
            ],
          },
        },
      });
    expect([ledger.journals.size, (await acme.show(id)).status]).toEqual([0, 'calculated']);
  });

  test('finalises payslips with gapless numbers and posts one balanced journal entry', async () => {
    await hireBoth();
    const run = await acme.calculated();
    const reply = await approve(run.id);
    expect(reply.body.data).toMatchObject({
      status: 'approved',
      number: 'PAY-2026-00001',
      journal_date: '2026-06-30',
      approved_by: acme.approver.caller.user_id,
      pending_effects: [],
    });
    const shown = await acme.show(run.id);
    expect(shown.entries.map(({ number, status }: Record<string, string>) => [number, status])).toEqual([
      ['PSL-2026-000001', 'finalised'],
      ['PSL-2026-000002', 'finalised'],
    ]);
    expect(unreversedJournals()).toHaveLength(1);
    expect(unreversedJournals()[0]!.asked).toMatchObject({
      source_type: 'payroll',
      source_id: run.id,
      purpose: 'approve.1',
    });
    expect(shown.journal_id).toBe(unreversedJournals()[0]!.id);
    const cents = sides().map(([, , amount]) => Math.round(Number(amount) * 100));
    expect(cents.reduce((sum, amount) => sum + amount, 0)).toBe(0);
    expect(sides()).toContainEqual(['salaries_payable', 'Net pay', `-${shown.net}`]);
    const inBase = shown.journal_preview.map((line: object) => ({ ...line, currency: 'EUR' }));
    expect(reply.body.data.journal).toEqual(inBase);
  });

  test('has one effect when repeated or called 50 times concurrently', async () => {
    await hire();
    const { id } = await acme.calculated();
    const replies = await runConcurrently(50, () => approve(id));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    expect((await approve(id)).body.data.number).toBe('PAY-2026-00001');
    expect(unreversedJournals()).toHaveLength(1);
    const events =
      await serving.sql`SELECT id FROM journal_events WHERE type = 'hr.payroll.approved' AND aggregate_id = ${id}`;
    expect(events).toHaveLength(1);
  });

  test('requires another user than the one who ran it, unless disabled', async () => {
    await hire();
    const { id } = await acme.calculated();
    const approveOwnRun = () => acme.owner.post(`/api/payroll/approve/${id}`, {});
    expect(await approveOwnRun()).toMatchObject({ status: 409, body: { code: 'four_eyes' } });
    await acme.owner.post('/api/hrm-settings/update', { four_eyes: false });
    expect((await approveOwnRun()).status).toBe(200);
  });

  test('is rejected with a list of employees and changes if inputs have changed', async () => {
    const ada = await hire();
    const { id } = await acme.calculated();
    await acme.leave(ada, '2026-06-11', { paid: false });
    expect(await approve(id)).toMatchObject({
      status: 409,
      body: { code: 'inputs_changed', details: { changes: [{ employee_id: ada, what: ['days'] }] } },
    });
    expect(unreversedJournals()).toEqual([]);
    await acme.run(id);
    expect((await approve(id)).body.data).toMatchObject({ status: 'approved', calculation_no: 2 });
    expect(unreversedJournals()[0]!.asked.purpose).toBe('approve.2');
  });

  test('is rejected for a locked period before finance is called', async () => {
    await hire();
    const { id } = await acme.calculated();
    ledger.locked.through = '2026-06-30';
    expect(await approve(id)).toMatchObject({
      status: 409,
      body: { code: 'period_locked', details: { locked_through: '2026-06-30' } },
    });
    expect(ledger.journals.size).toBe(0);
    expect((await approve(id, { journal_date: '2026-07-01' })).body.data.journal_date).toBe('2026-07-01');
  });

  test('returns the journal and stores nothing in a dry run', async () => {
    await hire();
    const { id } = await acme.calculated();
    const tried = (await approve(id, {}, '?dry_run=true')).body.data;
    expect(tried).toMatchObject({ status: 'approved', number: 'PAY-2026-00001' });
    expect(tried.journal).toEqual([
      expect.objectContaining({ role: 'salaries_expense', debit: '3000.00', credit: '0.00' }),
      expect.objectContaining({ role: 'salaries_payable', debit: '0.00', credit: '3000.00' }),
    ]);
    expect([(await acme.show(id)).status, ledger.journals.size]).toEqual(['calculated', 0]);
    expect((await approve(id)).body.data.number).toBe('PAY-2026-00001');
  });

  test('is rejected for a draft', async () => {
    await hire();
    expect(await approve(await acme.draft())).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
  });

  test('requires more than the permission to run payrolls', async () => {
    await hire();
    const { id } = await acme.calculated();
    const kim = acme.member({ can: ['payroll.view', 'payroll.run', 'employee.salary'] });
    expect((await kim.get(`/api/payrolls/${id}`)).body.data.allowed_actions).not.toContain('approve');
    for (const [path, body] of [
      [`approve/${id}`, {}],
      [`pay/${id}`, { bank_account_id: acme.bank_account_id, paid_on: '2026-06-30', method: 'file' }],
      [`reverse/${id}`, { reason: 'x' }],
    ] as const)
      expect((await kim.post(`/api/payroll/${path}`, body)).status).toBe(403);
  });
});

describe('an interrupted approval', () => {
  test('completes with the same journal entry when repeated after posting', async () => {
    await hire();
    const { id } = await acme.calculated();
    finance.trouble.push('lost');
    expect((await approve(id)).status).toBe(503);
    expect((await approve(id)).body.data.status).toBe('approved');
    expect(unreversedJournals()).toHaveLength(1);
  });

  test('is reversed if not repeated, and can be approved again', async () => {
    const clock = freezeClock('2026-06-30T12:00:00Z');
    await hire();
    const { id } = await acme.calculated();
    const asking = ledger.journals;
    finance.trouble.push('crashed');
    expect((await approve(id)).status).toBe(500);
    expect([asking.size, (await acme.show(id)).pending_effects]).toEqual([1, ['post_approve']]);
    clock.goTo('2026-06-30T12:01:00Z');
    await sweep();
    expect([unreversedJournals().length, (await acme.show(id)).pending_effects]).toEqual([0, []]);
    expect((await approve(id)).body.data.status).toBe('approved');
    expect(unreversedJournals().map(({ asked: journalRequest }) => journalRequest.purpose)).toEqual(['approve.1.2']);
  });

  test('leaves a run that can be edited and deleted once the posting is reversed', async () => {
    const clock = freezeClock('2026-06-30T12:00:00Z');
    await hire();
    const { id } = await acme.calculated();
    finance.trouble.push('crashed');
    await approve(id);
    await acme.owner.post(`/api/payroll/update/${id}`, { title: 'June' });
    const remove = () => acme.owner.delete(`/api/payroll/delete/${id}`);
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'payroll_pending' } });
    clock.goTo('2026-06-30T12:01:00Z');
    await sweep();
    expect([unreversedJournals(), (await remove()).status]).toEqual([[], 200]);
    expect((await acme.draft()).length).toBe(36);
  });
});
