import { describe, expect, test } from '@jest/globals';
import { statuses, together } from '@suite/testing';
import { openBooks } from '../../test/books.ts';

const { serving, ours, office, bank } = await openBooks();
const act = (verb: string, id: string, kind = 'revenues') => office.act(verb, id, kind);
const approved = (body: object = {}, kind = 'revenues'): Promise<string> => {
  const given = { bank_account_id: bank.id, ...body };
  return kind === 'revenues' ? office.approvedRevenue(given) : office.approvedExpense(given);
};
describe('a locked period', () => {
  test('takes nothing in, but for its exception', async () => {
    const id = await approved();
    const lock = await ours.owner.post('/api/period-locks/create', {
      scope: 'sales',
      locked_through: '2026-03-31',
      reason: 'First quarter',
    });
    expect(lock).toMatchObject({ status: 201 });
    expect(await act('post', id)).toMatchObject({
      status: 409,
      body: {
        code: 'period_locked',
        details: { scope: 'sales', locked_through: '2026-03-31', reason: 'First quarter' },
      },
    });
    const spent = await approved({}, 'expenses');
    expect(await act('post', spent, 'expenses')).toMatchObject({ status: 200 });
    const except = { exception_until: '2999-01-01T00:00:00Z', exception_reason: 'A late bill' };
    await ours.owner.post(`/api/period-locks/update/${lock.body.data.id}`, except);
    expect(await act('post', id)).toMatchObject({ status: 200 });
  });

  test('that is locked while fifty post lets in whoever came before, and nobody after', async () => {
    const ids = await together(50, () => approved());
    const locked = ours.owner.post('/api/period-locks/create', {
      scope: 'all',
      locked_through: '2026-12-31',
      reason: 'Year',
    });
    const replies = await together(50, (at) => act('post', ids[at]!));
    expect(await locked).toMatchObject({ status: 201 });
    expect(new Set([...statuses(replies), 200, 409])).toEqual(new Set([200, 409]));
    const [late] = await serving.sql`
      SELECT count(*)::int AS count FROM journal_entries AS entry JOIN period_locks AS lock USING (workspace_id)
      WHERE entry.workspace_id = ${ours.workspace} AND entry.created_at > lock.created_at + interval '1 second'`;
    expect(late!.count).toBe(0);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(
      (await serving.sql`SELECT FROM journal_entries WHERE workspace_id = ${ours.workspace}`).length,
    );
  });
});
