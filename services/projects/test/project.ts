/** Projects for tests, inserted as rows, with users and copies of the workspace's stages. */
import { randomUUID } from 'node:crypto';
import { type TransactionContext, sql } from '@suite/chassis/database';
import type { Member } from '@suite/testing';
import type { Db } from '../src/operations.ts';
import type { ProjectRole } from '../src/work/access/project.rules.ts';
import type { ProjectsFixture } from './fixture.ts';

interface RunningService {
  database: { write<T>(context: TransactionContext, work: (db: unknown) => Promise<T>): Promise<T> };
}

/** Project with the stages of its boards, by name. */
export interface ProjectFixture {
  id: string;
  code: string;
  taskStages: Record<string, string>;
  bugStages: Record<string, string>;
}

let made = 0;

async function copyStages(db: Db, project_id: string, kind: string): Promise<Record<string, string>> {
  const rows = await db.rows<{ id: string; name: string }>(sql`
    INSERT INTO stages (id, kind, project_id, name, color, "order", "group", is_default)
    SELECT gen_random_uuid(), kind, ${project_id}::uuid, name, color, "order", "group", is_default FROM stages
    WHERE project_id IS NULL AND kind = ${kind} RETURNING id, name`);
  return Object.fromEntries(rows.map(({ id, name }) => [name, id]));
}

/**
 * Creates a project in euros and in progress, which the owner manages.
 * @param people its members with their roles, and its clients
 */
export async function makeProject(
  serving: RunningService,
  { workspace, owner }: ProjectsFixture,
  people: {
    members?: [Member, ProjectRole][];
    clients?: Member[];
    columns?: { active?: boolean; status?: string };
  } = {},
): Promise<ProjectFixture> {
  const [id, code] = [randomUUID(), `P${(made += 1)}`];
  const context = { workspace_id: workspace, caller: null, operation: 'test', request_id: randomUUID() };
  const members = [[owner, 'manager'] as const, ...(people.members ?? [])];
  let stages: [Record<string, string>, Record<string, string>] = [{}, {}];
  await serving.database.write(context, async (confined) => {
    const db = confined as Db;
    for (const { caller } of [...members.map(([member]) => member), ...(people.clients ?? [])])
      await db.rows(sql`
        INSERT INTO users (id, name, email, kind, status)
        VALUES (${caller.user_id}::uuid, ${caller.user_name}, ${`${caller.user_id}@example.com`}, ${caller.kind}, 'active')
        ON CONFLICT DO NOTHING`);
    const { active = true, status = 'in_progress' } = people.columns ?? {};
    await db.rows(sql`
      INSERT INTO projects (id, code, name, currency, active, status)
      VALUES (${id}::uuid, ${code}, ${`Project ${code}`}, 'EUR', ${active}::boolean, ${status})`);
    await db.projectCode.create({ data: { code, project_id: id } });
    for (const [{ caller }, role] of members)
      await db.projectMember.create({ data: { project_id: id, user_id: caller.user_id, role } });
    for (const { caller } of people.clients ?? [])
      await db.projectClient.create({ data: { project_id: id, user_id: caller.user_id } });
    stages = [await copyStages(db, id, 'task'), await copyStages(db, id, 'bug')];
  });
  return { id, code, taskStages: stages[0], bugStages: stages[1] };
}
