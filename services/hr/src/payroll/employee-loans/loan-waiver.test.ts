import { expect, describe, test } from '@jest/globals';
import { compare, sum } from '@suite/money';
import { runConcurrently } from '@suite/testing';
import { openPaymentDay } from '../../../test/payments.ts';

const { finance, acme, clock, hire, sweep } = await openPaymentDay();
const { ledger } = finance;
const createLoan = async (employee_id: string, body: object = {}): Promise<string> => {
  const lent = { amount: '900.00', instalment: '100.00', first_period: '2026-06-01' };
  const journalRequest = { employee_id, ...lent, paid_from: acme.bank_account_id, ...body };
  const reply = await acme.approver.post('/api/employee-loan/create', journalRequest);
  expect(reply.status).toBe(201);
  return reply.body.data.id;
};
const waive = (id: string, query = '') =>
  acme.approver.post(`/api/employee-loan/cancel/${id}${query}`, { rest: 'waive', reason: 'Agreed' });
const loans = async () => (await acme.approver.get('/api/employee-loans')).body.data;
const waivers = () =>
  [...ledger.journals.values()].filter(({ asked: journalRequest }) => journalRequest.purpose.startsWith('waive'));

/** Returns the balance of the advances to employees in the ledger. */
function balanceOfAdvances(): string {
  const paid = [...ledger.payouts.values()].filter(
    ({ asked: journalRequest, reversed_on }) =>
      journalRequest.system_role === 'employee_advances' && reversed_on === null,
  );
  const lines = [...ledger.journals.values()]
    .filter(({ reversed_on }) => reversed_on === null)
    .flatMap(({ asked: journalRequest }) => journalRequest.lines)
    .filter(({ account }) => account?.value === 'employee_advances');
  const amounts = [
    ...paid.map(({ asked: journalRequest }) => journalRequest.amount),
    ...lines.flatMap(({ debit, credit }) => [debit || '0', credit ? `-${credit}` : '0']),
  ];
  return sum(amounts, 'EUR');
}

/** Returns the sum of the open loans. */
const sumOfOpenLoans = async (): Promise<string> => {
  const open = (await loans()).filter(({ status }: { status: string }) => status === 'open');
  return sum(
    open.map(({ left }: { left: string }) => left),
    'EUR',
  );
};

describe('a waived loan', () => {
  test('leaves the advances to employees equal to the open loans', async () => {
    const [ada, bob] = [await hire('Ada', '3000.00'), await hire('Bob', '3000.00')];
    const id = await createLoan(ada);
    await createLoan(bob);
    const run = await acme.approved();
    expect(run.status).toBe('approved');
    expect([balanceOfAdvances(), await sumOfOpenLoans()]).toEqual(['1600.00', '1600.00']);
    const reply = await waive(id);
    expect(reply).toMatchObject({ status: 200, body: { data: { status: 'cancelled', left: '800.00' } } });
    expect([balanceOfAdvances(), await sumOfOpenLoans()]).toEqual(['800.00', '800.00']);
    const [posted, ...more] = waivers();
    expect(more).toEqual([]);
    expect(posted!.asked).toMatchObject({
      date: '2026-06-30',
      source_type: 'payroll_loan',
      source_id: id,
      lines: [
        { account: { value: 'salaries_expense' }, debit: '800.00' },
        { account: { value: 'employee_advances' }, credit: '800.00' },
      ],
    });
    expect(JSON.stringify(posted)).not.toContain('Ada');
    expect(reply.body.data.waiver_journal_id).toBe(posted!.id);
  });

  test('is posted once for concurrent and repeated requests', async () => {
    const id = await createLoan(await hire('Ada', '3000.00'));
    const replies = await runConcurrently(10, () => waive(id));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await waive(id)).toMatchObject({ status: 200 });
    expect([balanceOfAdvances(), waivers().length]).toEqual(['0.00', 1]);
  });

  test('is posted by no dry run, which shows the faults of the posting', async () => {
    const id = await createLoan(await hire('Ada', '3000.00'));
    expect(await waive(id, '?dry_run=true')).toMatchObject({ status: 200, body: { data: { status: 'cancelled' } } });
    expect([await loans(), waivers()]).toMatchObject([[{ status: 'open', waiver_journal_id: null }], []]);
    ledger.locked.through = '2026-06-30';
    for (const query of ['', '?dry_run=true'])
      expect(await waive(id, query)).toMatchObject({ status: 409, body: { code: 'period_locked' } });
    expect([await loans(), waivers()]).toMatchObject([[{ status: 'open' }], []]);
  });

  test('is posted only if finance has paid the loan, and not if the amount is recovered', async () => {
    const ada = await hire('Ada', '3000.00');
    const outside = await createLoan(ada, { paid_from: null });
    expect(await waive(outside)).toMatchObject({ status: 200, body: { data: { waiver_journal_id: null } } });
    const id = await createLoan(ada);
    expect(await acme.approver.post(`/api/employee-loan/cancel/${id}`, { rest: 'recover' })).toMatchObject({
      status: 200,
    });
    expect(waivers()).toEqual([]);
    expect(compare(balanceOfAdvances(), '900.00')).toBe(0);
  });

  test('is reversed after a lost response, and can be posted again with another amount', async () => {
    const id = await createLoan(await hire('Ada', '3000.00'));
    finance.trouble.push('crashed');
    expect((await waive(id)).status).toBe(500);
    clock.goTo('2026-06-30T12:01:00Z');
    await sweep();
    expect([balanceOfAdvances(), await sumOfOpenLoans()]).toEqual(['900.00', '900.00']);
    await acme.approved();
    expect(await waive(id)).toMatchObject({ status: 200 });
    expect([balanceOfAdvances(), await sumOfOpenLoans()]).toEqual(['0.00', '0.00']);
  });
});
