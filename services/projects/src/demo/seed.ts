/** The demo's stages of projects: what platform's events provide is there at once, whenever they arrive. */
import { randomUUID } from 'node:crypto';
import type { Database } from '@suite/chassis';
import type { DemoWorkspace } from '@suite/demo';
import { upsertUserProfile } from '@suite/users';
import type { Db } from '../operations.ts';
import { provideSettings } from '../settings/settings.ts';
import { fillTime } from './time.ts';
import { provideStages } from '../stages/defaults.ts';

/** Provides what a workspace begins with, and copies of its users; copies that platform's events have made are newer. */
async function prepare(db: Db, { users }: DemoWorkspace): Promise<void> {
  for (const { id: user_id, name, email, kind } of users) {
    await upsertUserProfile(db, { user_id, name, email, kind, phone: '', status: 'active' }, 0);
  }
  await provideSettings(db);
  await provideStages(db);
  await fillTime(db, users.find(({ kind }) => kind === 'owner')?.id);
}

/** Fills the demo workspaces. Tells what was done. */
export async function seedDemo(database: Database<Db>, workspaces: readonly DemoWorkspace[]): Promise<string> {
  for (const { id: workspace_id, ...workspace } of workspaces) {
    const context = { workspace_id, caller: null, operation: 'cli:demo', request_id: randomUUID() };
    await database.write(context, (db) => prepare(db, { id: workspace_id, ...workspace }));
  }
  return 'The stages of projects are ready.';
}
