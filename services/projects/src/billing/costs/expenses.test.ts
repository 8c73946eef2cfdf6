import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher } from '@suite/testing';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';
import { makeProject } from '../../../test/project.ts';

const { serving, office: openOffice } = await openProjects();
const finance = await eventPublisher(serving);
let office: ProjectsFixture;
let project_id: string;
beforeEach(async () => {
  office = await openOffice();
  project_id = (await makeProject(serving, office)).id;
});

/** Returns an expense event of finance. */
const expenseEvent = (more: object = {}) => ({
  expense_id: randomUUID(),
  number: 'EXP-2026-00001',
  amount: '12.01',
  currency: 'USD',
  project_id,
  date: '2026-03-10',
  net: '10.01',
  rate: '0.8',
  base_net: '8.01',
  base_currency: 'EUR',
  ...more,
});
const emitExpense = (verb: 'posted' | 'reversed', expense: object, version = 1, times = 1) =>
  finance.say(office.workspace, `finance.expense.${verb}`, expense, { position: version, times });
const showProject = async (id = project_id) => (await office.owner.get(`/api/project/show/${id}`)).body.data;

describe('an expense that finance posts to a project', () => {
  test('counts towards its cost once, despite repeated events, until it is reversed', async () => {
    await office.owner.post(`/api/project/update/${project_id}`, { budget: '8.00' });
    const expense = expenseEvent();
    await emitExpense('posted', expense, 1, 2);
    await emitExpense('posted', expense);
    expect(await showProject()).toMatchObject({ cost: '8.01', used_percent: '100.13', over_budget: true });
    await emitExpense('posted', expenseEvent({ currency: 'EUR', net: '1.99', rate: '1', base_net: '1.99' }));
    expect((await showProject()).cost).toBe('10.00');
    await emitExpense('reversed', expense, 2);
    expect(await showProject()).toMatchObject({ cost: '1.99', over_budget: false });
  });

  test('costs nothing if its reversal arrives before its posting', async () => {
    const expense = expenseEvent();
    await emitExpense('reversed', expense, 2);
    await emitExpense('posted', expense, 3);
    expect((await showProject()).cost).toBe('0.00');
  });

  test('counts for a project that is created later, but for no other', async () => {
    const later = randomUUID();
    await emitExpense('posted', expenseEvent({ project_id: later }));
    await emitExpense('posted', expenseEvent({ project_id: '' }));
    expect((await showProject()).cost).toBe('0.00');
    await serving.sql`
      INSERT INTO projects (id, workspace_id, code, name, currency)
      VALUES (${later}, ${office.workspace}, 'LATE', 'Later', 'EUR')`;
    expect((await showProject(later)).cost).toBe('8.01');
  });

  test('prevents deletion of the project and a change of its currency', async () => {
    await emitExpense('posted', expenseEvent());
    expect(await office.owner.post(`/api/project/update/${project_id}`, { currency: 'CHF' })).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { expenses: 1 } },
    });
    expect(await office.owner.delete(`/api/project/delete/${project_id}`)).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { expenses: 1 } },
    });
  });
});
