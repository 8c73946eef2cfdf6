import { WorkspaceProvisioned } from '@suite/proto/platform/v1/events';
import { upsertOwner } from '@suite/user-copies';
import { on } from '../operations.ts';
import { copyTimezone } from '../work/settings/settings.ts';
import { provideStages } from '../work/stages/defaults.ts';

/** Creates the default project stages of a new workspace. Copies its owner, who takes over the work of former users. */
export const openWorkspace = on(WorkspaceProvisioned, 'projects.open-workspace', async ({ event, envelope, db }) => {
  await upsertOwner(db, event.owner_id);
  await copyTimezone(db, event.timezone || 'UTC', envelope.position);
  await provideStages(db);
});
