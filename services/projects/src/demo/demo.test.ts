import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Database } from '@suite/chassis/database';
import { audit } from '@suite/auditor';
import { openProjects } from '../../test/fixture.ts';
import { checks } from '../audit/audit.ts';
import type { Db } from '../operations.ts';
import { seedDemo } from './seed.ts';

const { serving } = await openProjects();

const user = (kind: 'owner' | 'staff' | 'client', name: string) => ({
  id: randomUUID(),
  role: kind,
  email: `${name}@demo.example`,
  name,
  kind,
});
const workspace = () => ({
  id: randomUUID(),
  name: 'Demo',
  currency: 'EUR',
  users: [user('owner', 'kim'), user('staff', 'robin'), user('staff', 'grace'), user('client', 'ada')],
});

test('creates the demo projects in all statuses once', async () => {
  const [large, small] = [workspace(), workspace()];
  const database = serving.database as unknown as Database<Db>;
  expect(await seedDemo(database, [large, small])).toBe('The demo has 10 projects.');
  expect(await seedDemo(database, [large, small])).toBe('The demo has its projects already.');
  const rows = await serving.sql`SELECT DISTINCT status FROM projects WHERE workspace_id = ${large.id} ORDER BY 1`;
  expect(rows.map(({ status }) => status)).toEqual(['cancelled', 'finished', 'in_progress', 'not_started', 'on_hold']);
  const owner = serving.member({
    kind: 'owner',
    workspace: large.id,
    user_id: large.users[0]!.id,
    can: ['project.view'],
    modules: ['projects'],
  });
  const { data } = (await owner.get('/api/projects?expand=members,milestones,stages&sort=name')).body;
  expect(data).toHaveLength(7);
  for (const { members, milestones, stages } of data)
    expect([members.length, milestones.length, stages.length]).toEqual([3, 4, 12]);
  for (const { id } of [large, small]) expect(await audit(serving.database_url, checks, id)).toEqual([]);
});
