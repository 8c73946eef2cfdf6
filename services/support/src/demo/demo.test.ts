import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Database } from '@suite/chassis/database';
import { audit } from '@suite/auditor';
import { openSupport } from '../../test/fixture.ts';
import { checks } from '../audit/audit.ts';
import type { Db } from '../operations.ts';
import { announceDueTargets } from '../tickets/ticket-sla/sla-announcements.ts';
import { seedDemo } from './seed.ts';

const { serving } = await openSupport();
const person = (role: string, kind: 'owner' | 'staff' | 'client') => ({
  id: randomUUID(),
  role,
  kind,
  name: `The ${role}`,
  email: `${role}@demo.test`,
});

test('creates valid tickets in all statuses, once', async () => {
  const users = [person('owner', 'owner'), person('agent', 'staff'), person('client', 'client')];
  const workspaces = [{ id: randomUUID(), name: 'Northwind', currency: 'EUR', users }];
  const database = serving.database as Database<Db>;
  expect(await seedDemo(database, workspaces)).toBe('80 tickets are there.');
  expect(await seedDemo(database, workspaces)).toBe('The support demo data already exists.');
  const states = await serving.sql`SELECT DISTINCT status FROM tickets WHERE workspace_id = ${workspaces[0]!.id}`;
  expect(states).toHaveLength(8);
  const [sla] = await serving.sql`
    SELECT count(*) FILTER (WHERE first_response_kept)::int > 5 AS kept, count(*) FILTER (WHERE breached_at IS NOT NULL)::int > 5 AS late,
      count(*) FILTER (WHERE next_warning_at <= now() AND next_due_at >= now())::int > 0 AS near, count(*) FILTER (WHERE paused_seconds > 0)::int > 0 AS waited,
      count(*) FILTER (WHERE terms_id IS NULL)::int AS without
    FROM tickets WHERE workspace_id = ${workspaces[0]!.id}`;
  expect(sla).toEqual({ kept: true, late: true, near: true, waited: true, without: 0 });
  expect(await announceDueTargets(serving.tools as never)).toBe(0);
  const [written] = await serving.sql`
    SELECT (SELECT count(*)::int FROM articles WHERE workspace_id = ${workspaces[0]!.id}) AS articles,
      (SELECT count(*)::int FROM faqs WHERE workspace_id = ${workspaces[0]!.id}) AS faqs`;
  expect(written).toEqual({ articles: 30, faqs: 5 });
  expect(await audit(serving.database_url, checks, workspaces[0]!.id)).toEqual([]);
});
