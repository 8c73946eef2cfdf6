import { WorkspaceProvisioned } from '@suite/proto/platform/v1/events';
import { on } from '../operations.ts';
import { provideDefaults } from '../pipelines/defaults.ts';
import { upsertOwner } from '../users/copy.ts';

/** A new workspace can take its first lead at once, and its owner is known to whoever hands work over. */
export const openWorkspace = on(WorkspaceProvisioned, 'crm.open-workspace', async ({ event, db }) => {
  await upsertOwner(db, event.owner_id);
  await provideDefaults(db);
});
