/** Projects and tasks for tests of time, made as rows. */
import { randomUUID } from 'node:crypto';
import { sql } from '@suite/chassis';
import type { Serving } from '@suite/testing';
import type { Db } from '../src/operations.ts';
import type { Office } from './fixture.ts';

/** What a test may say of a project. */
interface Wanted {
  members?: Readonly<Record<string, 'manager' | 'member' | 'viewer'>>;
  hourly_rate?: string;
  status?: string;
  active?: boolean;
  customer_id?: string;
}

let made = 0;

/** A project with a task that is open and one that is done. */
export async function workedProject(serving: Serving, { workspace }: Office, wanted: Wanted = {}) {
  const { members = {}, hourly_rate = null, status = 'in_progress', active = true, customer_id = null } = wanted;
  made += 1;
  const [id, code] = [randomUUID(), `P${made}`];
  const context = { workspace_id: workspace, caller: null, operation: 'test', request_id: randomUUID() };
  return await serving.database.write(context, async (confined) => {
    const db = confined as Db;
    await db.rows(sql`
      INSERT INTO projects (id, code, name, currency, status, active, hourly_rate, customer_id)
      VALUES (${id}::uuid, ${code}, 'Website', 'EUR', ${status}, ${active}, ${hourly_rate}::numeric, ${customer_id}::uuid)`);
    for (const [user_id, role] of Object.entries(members)) {
      await db.rows(sql`
        INSERT INTO users (id, name, kind) VALUES (${user_id}::uuid, 'Robin Example', 'staff') ON CONFLICT DO NOTHING`);
      await db.rows(sql`
        INSERT INTO project_members (id, project_id, user_id, role)
        VALUES (${randomUUID()}::uuid, ${id}::uuid, ${user_id}::uuid, ${role})`);
    }
    const task = async (number: number, title: string, group: string) => {
      const [stage_id, task_id] = [randomUUID(), randomUUID()];
      const completed_at = group === 'completed' ? new Date() : null;
      await db.rows(sql`
        INSERT INTO stages (id, project_id, kind, name, color, "order", "group", is_default)
        VALUES (${stage_id}::uuid, ${id}::uuid, 'task', ${group}, '#64748b', ${number - 1}, ${group}, ${number === 1})`);
      await db.rows(sql`
        INSERT INTO work_items (id, kind, project_id, number, title, stage_id, "group", rank, completed_at)
        VALUES (${task_id}::uuid, 'task', ${id}::uuid, ${number}, ${title}, ${stage_id}::uuid, ${group}, ${number},
          ${completed_at}::timestamptz)`);
      return task_id;
    };
    const task_id = await task(1, 'Draw the page', 'unstarted');
    return { id, code, task_id, done_task_id: await task(2, 'Find a name', 'completed') };
  });
}
