import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Database } from '@suite/chassis/database';
import { start } from '@suite/testing';
import { withoutCaller, type Db } from '../../operations.ts';
import { platform as contents } from '../../platform.ts';
import { openWorkspace } from '../../../test/workspace.ts';
import { type NewWorkspace, provisionWorkspace } from './workspace.ts';
import { assignPlan } from '../../entitlements/plans/plan.ts';

const platform = await start(contents);
const database = platform.database as Database<Db>;

const input = (change: Partial<NewWorkspace> = {}): NewWorkspace => {
  const id = randomUUID();
  const owner = { name: 'Olga', email: `olga.${id}@example.test` };
  return {
    id,
    name: 'Initech',
    slug: `initech-${id.slice(-12)}`,
    plan: 'business',
    timezone: 'Europe/Paris',
    currency: 'EUR',
    fiscal_year_start: '04-01',
    owner,
    ...change,
  };
};
const provision = (workspace: NewWorkspace) =>
  database.write(withoutCaller('test', workspace.id), (db, emit) => provisionWorkspace(db, emit, workspace));

describe('a new workspace', () => {
  test('has ten roles and an invited owner, and emits an event', async () => {
    const workspace = input();
    const owner_id = await provision(workspace);
    const roles = await platform.sql`SELECT FROM roles WHERE workspace_id = ${workspace.id} AND system`;
    expect(roles).toHaveLength(10);
    const [owner] = await platform.sql`SELECT id, kind, status FROM users WHERE workspace_id = ${workspace.id}`;
    expect(owner).toEqual({ id: owner_id, kind: 'owner', status: 'invited' });
    const events =
      await platform.sql`SELECT type, data FROM journal_events WHERE workspace_id = ${workspace.id} ORDER BY position`;
    expect(events).toMatchObject([
      {
        type: 'platform.workspace.provisioned',
        data: {
          workspace_id: workspace.id,
          name: 'Initech',
          timezone: 'Europe/Paris',
          currency: 'EUR',
          fiscal_year_start: '04-01',
          owner_id,
        },
      },
      { type: 'platform.user.created', data: { user_id: owner_id } },
      {
        type: 'platform.workspace.entitlements_changed',
        data: {
          workspace_id: workspace.id,
          modules: expect.arrayContaining(['crm', 'invoicing']),
          limits: { users: 25 },
        },
      },
    ]);
  });

  test('requires an existing plan, and lists the existing plans in its fault', async () => {
    await expect(provision(input({ plan: 'platinum' }))).rejects.toMatchObject({
      code: 'unknown_plan',
      details: { plans: ['starter', 'business', 'enterprise'] },
    });
  });

  test.each([
    ['currency', { currency: 'euro' }],
    ['first day of the fiscal year', { fiscal_year_start: '13-01' }],
    ['short name', { slug: 'Not A Slug' }],
  ])('is rejected by the database with an invalid %s', async (_, change) => {
    await expect(provision(input(change))).rejects.toThrow();
    expect(
      await platform.sql`SELECT FROM users WHERE email LIKE 'olga.%' AND workspace_id NOT IN (SELECT id FROM workspaces)`,
    ).toEqual([]);
  });
});

test('another plan switches modules immediately and is announced', async () => {
  const acme = await openWorkspace(platform, 'starter');
  await database.write(withoutCaller('test', acme.id), (db, emit) =>
    assignPlan(db, emit, acme.id, { code: 'business' }),
  );
  const [event] =
    await platform.sql`SELECT data FROM journal_events WHERE type = 'platform.workspace.entitlements_changed' AND workspace_id = ${acme.id} ORDER BY position DESC`;
  expect(event!.data.modules).toContain('invoicing');
  expect((await acme.as('staff')).caller.modules).toContain('invoicing');
});
