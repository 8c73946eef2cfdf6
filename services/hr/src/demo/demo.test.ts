import { expect, test } from '@jest/globals';
import { keysOf } from '@suite/testing';
import { openHr } from '../../test/fixture.ts';
import { seedDemo } from './seed.ts';

const { serving, company } = await openHr();

test('the demo employs sixty people in two branches, led by one another, once', async () => {
  const acme = await company();
  const { user_id } = acme.owner.caller;
  const owner = { id: user_id, name: 'Kim Example', role: 'owner', email: 'owner@demo.test', kind: 'owner' as const };
  const workspace = { id: acme.workspace, name: 'Northwind', currency: 'EUR', users: [owner] };
  const seed = () => seedDemo(serving.database as never, [workspace], keysOf('hr').master);
  expect(await seed()).toContain('60 people');
  expect(await seed()).toBe('The companies are there already.');
  const list = async (query: string) => (await acme.owner.get(`/api/employees?per_page=100&${query}`)).body;
  const people = (await list('expand=salary')).data;
  expect(people).toHaveLength(60);
  expect(new Set(people.map(({ branch_id }: { branch_id: string }) => branch_id)).size).toBe(2);
  expect(people.filter(({ manager_id }: { manager_id: string | null }) => manager_id === null)).toHaveLength(1);
  expect(people.every(({ salary }: { salary: object | null }) => salary !== null)).toBe(true);
  const leader = acme.member({ user_id, can: ['employee.view'], record_scopes: { employee: 'team' } });
  expect((await leader.get('/api/employees?per_page=100')).body.meta.total).toBe(59);
});
