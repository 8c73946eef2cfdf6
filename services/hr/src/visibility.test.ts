import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { CallerOptions } from '@suite/testing';
import { asCaller, sql } from '@suite/chassis/database';
import { openHr } from '../test/fixture.ts';
import { LED_NOUNS } from './employment/employment/record-scope.ts';
import type { Db } from './operations.ts';
import { visibilityRules } from './visibility.ts';

const { serving, company } = await openHr();

/** Creates a hierarchy: a boss, two heads, a clerk and a trainee below, and a former employee. */
async function hierarchy() {
  const acme = await company();
  const users: Record<string, string> = {};
  const ids: Record<string, string> = {};
  const createEmployee = async (name: string, manager?: string, status = 'active') => {
    users[name] = randomUUID();
    ids[name] = await acme.employ({
      name,
      user_id: users[name],
      status,
      ...(manager && { manager_id: ids[manager]! }),
    });
  };
  await createEmployee('boss');
  await createEmployee('head', 'boss');
  await createEmployee('clerk', 'head');
  await createEmployee('trainee', 'clerk');
  await createEmployee('other head', 'boss');
  await createEmployee('former', 'clerk', 'left');
  /**
   * Returns the names of the employees that a caller sees. Uses the visibility condition of lists, with or without the
   * database policy.
   */
  const namesSeenBy = (name: string, rights: CallerOptions) =>
    serving.database.view(
      {
        workspace_id: acme.workspace,
        caller: acme.member({ user_id: users[name] ?? randomUUID(), ...rights }).caller,
        operation: 'test',
        request_id: '',
      },
      async (db) => {
        const rows = await asCaller(() =>
          (db as Db).rows<{ name: string }>(sql`SELECT name FROM employees ORDER BY name`),
        );
        return rows.map((row) => row.name);
      },
    );
  return { acme, ids, seenBy: namesSeenBy };
}

const { acme, ids, seenBy: namesSeenBy } = await hierarchy();
const everybody = ['boss', 'clerk', 'former', 'head', 'other head', 'trainee'];
const team: CallerOptions = { can: ['employee.view'], record_scopes: { employee: 'team' } };
const own: CallerOptions = { can: ['employee.view'], record_scopes: { employee: 'own' } };

test.each<[string, string, CallerOptions, string[]]>([
  ['all, with the permission', 'clerk', { can: ['employee.view'] }, everybody],
  ['the caller, without the permission', 'clerk', { can: [] }, ['clerk']],
  ['the caller, with the scope own', 'clerk', own, ['clerk']],
  ['those at any depth below, with the scope team', 'boss', team, everybody.filter((name) => name !== 'former')],
  ['no colleagues and no managers', 'head', team, ['clerk', 'head', 'trainee']],
  ['only the caller, at the bottom of the hierarchy', 'trainee', team, ['trainee']],
  ['no employees, if the caller is not an employee', 'stranger', team, []],
  ['no employees, without the permission and an employee record', 'stranger', { can: [] }, []],
  ['no employees, to a client', 'clerk', { kind: 'client', can: ['employee.view'] }, []],
])('shows %s', async (_, name, rights, expected) => {
  expect(await namesSeenBy(name, rights)).toEqual(expected);
});

test('uses the current reporting lines of the own workspace', async () => {
  await serving.sql`UPDATE employees SET manager_id = ${ids['other head']!} WHERE id = ${ids['trainee']!}`;
  expect(await namesSeenBy('head', team)).toEqual(['clerk', 'head']);
  expect(await namesSeenBy('other head', team)).toEqual(['other head', 'trainee']);
  const rival = await company();
  const other = await rival.employ({ name: 'rival' });
  expect(other).toBeTruthy();
  expect(await namesSeenBy('boss', { can: ['employee.view'] })).not.toContain('rival');
  expect(acme.workspace).not.toBe(rival.workspace);
});

test('includes all nouns with team scope in the check of new managers', () => {
  const conditions = visibilityRules.flatMap((visible) => (visible.rule === 'conditions' ? [visible.conditions] : []));
  const led = conditions.filter(({ limited }) => /employees_(?:in_reach|led)/.test(JSON.stringify(limited)));
  expect(new Set(LED_NOUNS)).toEqual(new Set(led.map(({ noun }) => noun)));
});
