import { WorkspaceProvisioned } from '@suite/proto/platform/v1/events';
import { on } from '../operations.ts';
import { provideDefaults } from '../pipelines/defaults.ts';
import { upsertOwner } from '@suite/users';

/** Gives a new workspace its first pipeline, and copies its owner, to whom work can be handed over. */
export const openWorkspace = on(WorkspaceProvisioned, 'crm.open-workspace', async ({ event, db }) => {
  await upsertOwner(db, event.owner_id);
  await provideDefaults(db);
});
