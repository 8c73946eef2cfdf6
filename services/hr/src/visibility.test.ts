import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Rights } from '@suite/testing';
import { asSeen, sql } from '@suite/chassis/database';
import { openHr } from '../test/fixture.ts';
import { LED_NOUNS } from './employment/employment/reach.ts';
import type { Db } from './operations.ts';
import { whoSeesWhat } from './visibility.ts';

const { serving, company } = await openHr();

/** Creates a hierarchy: a boss, two heads, a clerk and a trainee below, and a former employee. */
async function hierarchy() {
  const acme = await company();
  const users: Record<string, string> = {};
  const ids: Record<string, string> = {};
  const employ = async (name: string, manager?: string, status = 'active') => {
    users[name] = randomUUID();
    ids[name] = await acme.employ({
      name,
      user_id: users[name],
      status,
      ...(manager && { manager_id: ids[manager]! }),
    });
  };
  await employ('boss');
  await employ('head', 'boss');
  await employ('clerk', 'head');
  await employ('trainee', 'clerk');
  await employ('other head', 'boss');
  await employ('former', 'clerk', 'left');
  /**
   * Returns the names of the employees that a caller sees. Uses the visibility condition of lists, with or without the
   * database policy.
   */
  const seenBy = (name: string, rights: Rights) =>
    serving.database.view(
      {
        workspace_id: acme.workspace,
        caller: acme.member({ user_id: users[name] ?? randomUUID(), ...rights }).caller,
        operation: 'test',
        request_id: '',
      },
      async (db) => {
        const rows = await asSeen(() =>
          (db as Db).rows<{ name: string }>(sql`SELECT name FROM employees ORDER BY name`),
        );
        return rows.map((row) => row.name);
      },
    );
  return { acme, ids, seenBy };
}

const { acme, ids, seenBy } = await hierarchy();
const everybody = ['boss', 'clerk', 'former', 'head', 'other head', 'trainee'];
const team: Rights = { can: ['employee.view'], record_scopes: { employee: 'team' } };
const own: Rights = { can: ['employee.view'], record_scopes: { employee: 'own' } };

test.each<[string, string, Rights, string[]]>([
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
  expect(await seenBy(name, rights)).toEqual(expected);
});

test('uses the current reporting lines of the own workspace', async () => {
  await serving.sql`UPDATE employees SET manager_id = ${ids['other head']!} WHERE id = ${ids['trainee']!}`;
  expect(await seenBy('head', team)).toEqual(['clerk', 'head']);
  expect(await seenBy('other head', team)).toEqual(['other head', 'trainee']);
  const rival = await company();
  const other = await rival.employ({ name: 'rival' });
  expect(other).toBeTruthy();
  expect(await seenBy('boss', { can: ['employee.view'] })).not.toContain('rival');
  expect(acme.workspace).not.toBe(rival.workspace);
});

test('includes all nouns with team scope in the check of new managers', () => {
  const conditions = whoSeesWhat.flatMap((visible) => (visible.rule === 'conditions' ? [visible.conditions] : []));
  const led = conditions.filter(({ limited }) => /employees_(?:in_reach|led)/.test(JSON.stringify(limited)));
  expect(new Set(LED_NOUNS)).toEqual(new Set(led.map(({ noun }) => noun)));
});
