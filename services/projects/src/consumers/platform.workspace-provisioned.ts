import { WorkspaceProvisioned } from '@suite/proto/platform/v1/events';
import { upsertOwner } from '@suite/users';
import { on } from '../operations.ts';
import { provideSettings } from '../settings/settings.ts';
import { provideStages } from '../stages/defaults.ts';

/** A new workspace has the stages that its projects begin with, and its owner to whom work can be handed over. */
export const openWorkspace = on(WorkspaceProvisioned, 'projects.open-workspace', async ({ event, db }) => {
  await upsertOwner(db, event.owner_id);
  await provideSettings(db);
  await db.settings.updateMany({ data: { timezone: event.timezone || 'UTC' } });
  await provideStages(db);
});
