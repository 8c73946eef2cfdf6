/** Demo projects, created once for each workspace without projects. */
import { randomUUID } from 'node:crypto';
import { type Database, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import { seedRandom, type DemoWorkspace } from '@suite/demo';
import { upsertUserProfile } from '@suite/user-copies';
import { fillWorkItems } from './demo-cards.ts';
import type { Db } from '../operations.ts';
import { provideSettings } from '../work/settings/settings.ts';
import { fillTime } from './time.ts';
import { provideStages } from '../work/stages/defaults.ts';
import { addProject, PLANS } from './demo-projects.ts';

const SMALL = 2;

/** Returns the owner of the workspace, who creates the demo data. */
function managerOf({ id: workspace_id, currency, users }: DemoWorkspace): Caller {
  const { id: user_id, name: user_name, kind, role } = users.find((user) => user.kind === 'owner') ?? users[0]!;
  const rights = { permissions: [], record_scopes: {}, modules: [] };
  return { user_id, user_name, kind, role, workspace_id, timezone: 'UTC', currency, ...rights };
}

/**
 * Creates the initial data of a workspace and the copies of its users. Newer copies from platform events are preserved.
 */
async function prepare(db: Db, { users }: DemoWorkspace): Promise<void> {
  for (const { id: user_id, name, email, kind } of users) {
    await upsertUserProfile(db, { user_id, name, email, kind, phone: '', status: 'active' }, 0);
  }
  await provideSettings(db);
  await provideStages(db);
}

/** Fills a workspace. Returns the number of created projects: 0 if the workspace already has some. */
async function fill(db: Db, emit: Emit, workspace: DemoWorkspace, plans: typeof PLANS): Promise<number> {
  await db.rows(sql`SELECT id FROM settings FOR NO KEY UPDATE`);
  if ((await db.project.count()) > 0) return 0;
  seedRandom(plans.length);
  for (const plan of plans) await addProject(db, emit, plan, workspace);
  await fillWorkItems(db);
  await fillTime(db, workspace.users.find(({ kind }) => kind === 'owner')?.id);
  return plans.length;
}

/** Fills the first workspace with all projects and the others with a few. Returns a summary. */
export async function seedDemo(database: Database<Db>, workspaces: readonly DemoWorkspace[]): Promise<string> {
  let made = 0;
  for (const [index, workspace] of workspaces.entries()) {
    const context = {
      workspace_id: workspace.id,
      caller: managerOf(workspace),
      operation: 'cli:demo',
      request_id: randomUUID(),
    };
    const plans = index === 0 ? PLANS : PLANS.slice(1, 1 + SMALL);
    await database.write(context, (db) => prepare(db, workspace));
    made += await database.write(context, (db, emit) => fill(db, emit, workspace, plans));
  }
  return made > 0 ? `The demo has ${made} projects.` : 'The demo has its projects already.';
}
