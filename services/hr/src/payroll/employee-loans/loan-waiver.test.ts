import { expect, describe, test } from '@jest/globals';
import { compare, sum } from '@suite/money';
import { together } from '@suite/testing';
import { openPayday } from '../../../test/paying.ts';

const { finance, acme, clock, hire, sweep } = await openPayday();
const { ledger } = finance;
const lend = async (employee_id: string, body: object = {}): Promise<string> => {
  const lent = { amount: '900.00', instalment: '100.00', first_period: '2026-06-01' };
  const asked = { employee_id, ...lent, paid_from: acme.bank_account_id, ...body };
  const reply = await acme.boss.post('/api/employee-loan/create', asked);
  expect(reply.status).toBe(201);
  return reply.body.data.id;
};
const waive = (id: string, query = '') =>
  acme.boss.post(`/api/employee-loan/cancel/${id}${query}`, { rest: 'waive', reason: 'Agreed' });
const loans = async () => (await acme.boss.get('/api/employee-loans')).body.data;
const waivers = () => [...ledger.journals.values()].filter(({ asked }) => asked.purpose.startsWith('waive'));

/** Returns the balance of the advances to employees in the ledger. */
function advances(): string {
  const paid = [...ledger.payouts.values()].filter(
    ({ asked, reversed_on }) => asked.system_role === 'employee_advances' && reversed_on === null,
  );
  const lines = [...ledger.journals.values()]
    .filter(({ reversed_on }) => reversed_on === null)
    .flatMap(({ asked }) => asked.lines)
    .filter(({ account }) => account?.value === 'employee_advances');
  const amounts = [
    ...paid.map(({ asked }) => asked.amount),
    ...lines.flatMap(({ debit, credit }) => [debit || '0', credit ? `-${credit}` : '0']),
  ];
  return sum(amounts, 'EUR');
}

/** Returns the sum of the open loans. */
const lentOut = async (): Promise<string> => {
  const open = (await loans()).filter(({ status }: { status: string }) => status === 'open');
  return sum(
    open.map(({ left }: { left: string }) => left),
    'EUR',
  );
};

describe('a waived loan', () => {
  test('leaves the advances to employees equal to the open loans', async () => {
    const [ada, bob] = [await hire('Ada', '3000.00'), await hire('Bob', '3000.00')];
    const id = await lend(ada);
    await lend(bob);
    const run = await acme.approved();
    expect(run.status).toBe('approved');
    expect([advances(), await lentOut()]).toEqual(['1600.00', '1600.00']);
    const reply = await waive(id);
    expect(reply).toMatchObject({ status: 200, body: { data: { status: 'cancelled', left: '800.00' } } });
    expect([advances(), await lentOut()]).toEqual(['800.00', '800.00']);
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
    const id = await lend(await hire('Ada', '3000.00'));
    const replies = await together(10, () => waive(id));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await waive(id)).toMatchObject({ status: 200 });
    expect([advances(), waivers().length]).toEqual(['0.00', 1]);
  });

  test('is posted by no dry run, which shows the faults of the posting', async () => {
    const id = await lend(await hire('Ada', '3000.00'));
    expect(await waive(id, '?dry_run=true')).toMatchObject({ status: 200, body: { data: { status: 'cancelled' } } });
    expect([await loans(), waivers()]).toMatchObject([[{ status: 'open', waiver_journal_id: null }], []]);
    ledger.locked.through = '2026-06-30';
    for (const query of ['', '?dry_run=true'])
      expect(await waive(id, query)).toMatchObject({ status: 409, body: { code: 'period_locked' } });
    expect([await loans(), waivers()]).toMatchObject([[{ status: 'open' }], []]);
  });

  test('is posted only if finance has paid the loan, and not if the amount is recovered', async () => {
    const ada = await hire('Ada', '3000.00');
    const outside = await lend(ada, { paid_from: null });
    expect(await waive(outside)).toMatchObject({ status: 200, body: { data: { waiver_journal_id: null } } });
    const id = await lend(ada);
    expect(await acme.boss.post(`/api/employee-loan/cancel/${id}`, { rest: 'recover' })).toMatchObject({ status: 200 });
    expect(waivers()).toEqual([]);
    expect(compare(advances(), '900.00')).toBe(0);
  });

  test('is reversed after a lost response, and can be posted again with another amount', async () => {
    const id = await lend(await hire('Ada', '3000.00'));
    finance.trouble.push('crashed');
    expect((await waive(id)).status).toBe(500);
    clock.goTo('2026-06-30T12:01:00Z');
    await sweep();
    expect([advances(), await lentOut()]).toEqual(['900.00', '900.00']);
    await acme.approved();
    expect(await waive(id)).toMatchObject({ status: 200 });
    expect([advances(), await lentOut()]).toEqual(['0.00', '0.00']);
  });
});
