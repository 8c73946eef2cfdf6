import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Rights } from '@suite/testing';
import { asSeen, sql } from '@suite/chassis';
import { openHr } from '../test/fixture.ts';
import { LED_NOUNS } from './employment/reach.ts';
import type { Db } from './operations.ts';
import { whoSeesWhat } from './visibility.ts';

const { serving, company } = await openHr();

/** A company with people below each other: a boss, a head, a clerk and a trainee; another head, and somebody who left. */
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
  /** The names of the employees that somebody sees, by the list's own condition beside the policy or by the policy alone. */
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
  ['oneself, without the permission', 'clerk', { can: [] }, ['clerk']],
  ['oneself, with the scope own', 'clerk', own, ['clerk']],
  ['those at any depth below, with the scope team', 'boss', team, everybody.filter((name) => name !== 'former')],
  ['no colleagues and nobody above', 'head', team, ['clerk', 'head', 'trainee']],
  ['oneself alone, at the bottom of the tree', 'trainee', team, ['trainee']],
  ['nobody, where the caller is no employee', 'stranger', team, []],
  ['nobody, without the permission and no employee', 'stranger', { can: [] }, []],
  ['nobody, as a client', 'clerk', { kind: 'client', can: ['employee.view'] }, []],
])('somebody sees %s', async (_, name, rights, expected) => {
  expect(await seenBy(name, rights)).toEqual(expected);
});

test('the tree of managers is that of today, and of the own workspace', async () => {
  await serving.sql`UPDATE employees SET manager_id = ${ids['other head']!} WHERE id = ${ids['trainee']!}`;
  expect(await seenBy('head', team)).toEqual(['clerk', 'head']);
  expect(await seenBy('other head', team)).toEqual(['other head', 'trainee']);
  const rival = await company();
  const other = await rival.employ({ name: 'rival' });
  expect(other).toBeTruthy();
  expect(await seenBy('boss', { can: ['employee.view'] })).not.toContain('rival');
  expect(acme.workspace).not.toBe(rival.workspace);
});

test('the nouns that managers see by the scope team are known to the check of new managers', () => {
  const conditions = whoSeesWhat.flatMap((visible) => (visible.rule === 'conditions' ? [visible.conditions] : []));
  const led = conditions.filter(({ limited }) => /employees_(?:in_reach|led)/.test(JSON.stringify(limited)));
  expect(new Set(LED_NOUNS)).toEqual(new Set(led.map(({ noun }) => noun)));
});
