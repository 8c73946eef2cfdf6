import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@suite/chassis/database';
import { everything, openCrm } from '../../test/fixture.ts';
import type { Db } from '../operations.ts';
import { seedDemo } from './seed.ts';

const { serving } = await openCrm();
const { sql } = serving;
const id = randomUUID();
const user_id = randomUUID();
const member = serving.member({ can: everything, workspace: id, user_id });

beforeAll(async () => {
  const user = { id: user_id, role: 'owner', kind: 'owner', name: 'Olga', email: 'olga@demo.test' } as const;
  await seedDemo(serving.database as Database<Db>, [{ id, name: 'Northwind', currency: 'EUR', users: [user] }]);
});

describe('in the demo', () => {
  test('opportunities and meetings match their status, and no future meeting was held', async () => {
    expect(
      await sql`
      SELECT id FROM opportunities WHERE created_at > now() OR closed_at > now() OR closed_at < created_at OR updated_at > now()`,
    ).toEqual([]);
    expect(await sql`SELECT DISTINCT stage FROM opportunities WHERE workspace_id = ${id}`).toHaveLength(6);
    expect(
      await sql`SELECT id FROM meetings WHERE (start < now()) <> (status <> 'planned') OR created_at > now()`,
    ).toEqual([]);
    expect(await sql`SELECT DISTINCT parent_type FROM meetings WHERE workspace_id = ${id}`).toHaveLength(3);
    expect(await sql`SELECT id FROM meetings WHERE id NOT IN (SELECT meeting_id FROM meeting_attendees)`).toEqual([]);
  });

  test('users find opportunities and meetings as if they had created them', async () => {
    const opportunities = await member.get('/api/sales/opportunities?expand=owner,source&per_page=100');
    expect(opportunities).toMatchObject({ status: 200, body: { meta: { total: 24 } } });
    expect(opportunities.body.data[0]).toMatchObject({ owner: { name: 'Olga' }, customer_id: null });
    const meetings = await member.get('/api/sales/meetings?expand=attendees&sort=start&per_page=100');
    expect(meetings).toMatchObject({ status: 200, body: { meta: { total: 45 } } });
    expect(meetings.body.data[0]).toMatchObject({ parent_name: expect.any(String), attendees: expect.any(Array) });
    expect((await member.get('/api/sales/home')).body.data.opportunities.open).toBeGreaterThan(5);
  });
});
