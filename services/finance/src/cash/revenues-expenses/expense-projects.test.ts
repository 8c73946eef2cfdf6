import { beforeEach, describe, expect, test } from '@jest/globals';
import { expectCleanBooks } from '../../../test/audit.ts';
import { booksFixture } from '../../../test/books.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';

const { serving, inventory, projects, company } = await openFinance();
let ours: Company;
let office: ReturnType<typeof booksFixture>;
beforeEach(async () => {
  ours = await company();
  office = booksFixture(ours);
});

const readEvents = async (id: string) =>
  (await serving.sql`SELECT type, data FROM journal_events WHERE aggregate_id = ${id} ORDER BY position`).map(
    ({ type, data }) => [type, data],
  );

describe('an expense of a project', () => {
  test('is announced with all project cost data when posted and when reversed', async () => {
    const project_id = projects.project(ours.workspace);
    const bank = await office.bank({ currency: 'USD', account_name: 'Dollars' });
    const tax_id = inventory.in(ours.workspace).tax({ rate: '20' }).tax_id;
    const body = { bank_account_id: bank.id, project_id, tax_id, amount: '12.01', rate: '0.8', date: '2026-03-10' };
    const id = await office.approvedExpense(body);
    expect((await office.act('post', id, 'expenses')).body.data).toMatchObject({ project_id, status: 'posted' });
    await office.act('post', id, 'expenses');
    await office.act('reverse', id, 'expenses');
    await office.act('reverse', id, 'expenses');
    const expectedEvent = {
      expense_id: id,
      number: 'EXP-2026-00001',
      project_id,
      date: '2026-03-10',
      net: '10.0100',
      currency: 'USD',
      rate: expect.stringMatching(/^0\.8/),
      base_net: '8.01',
      base_currency: 'EUR',
    };
    expect(await readEvents(id)).toEqual([
      ['finance.expense.posted', expect.objectContaining(expectedEvent)],
      ['finance.expense.reversed', expect.objectContaining(expectedEvent)],
    ]);
    await expectCleanBooks(serving);
  });

  test("is rejected for another workspace's, archived or template projects", async () => {
    const bank = await office.bank();
    const other = await company();
    const wrong = [
      projects.project(other.workspace),
      projects.project(ours.workspace, { active: false }),
      projects.project(ours.workspace, { is_template: true }),
    ];
    const expense = (body: object) => office.expense({ bank_account_id: bank.id, ...body });
    for (const project_id of wrong)
      expect(await expense({ project_id })).toMatchObject({
        status: 422,
        body: { errors: { project_id: expect.any(Array) } },
      });
    const { id } = (await expense({ project_id: projects.project(ours.workspace) })).body.data;
    const moved = await ours.owner.post(`/api/expenses/update/${id}`, { project_id: wrong[1] });
    expect(moved).toMatchObject({
      status: 422,
      body: { errors: { project_id: ['This project is archived. Choose another project.'] } },
    });
    expect((await ours.owner.post(`/api/expenses/update/${id}`, { project_id: null })).body.data.project_id).toBeNull();
  });
});
