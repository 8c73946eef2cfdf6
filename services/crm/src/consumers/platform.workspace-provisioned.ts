import { WorkspaceProvisioned } from '@suite/proto/platform/v1/events';
import { on } from '../operations.ts';
import { provideDefaults } from '../pipeline/pipelines/defaults.ts';
import { upsertOwner } from '@suite/user-copies';

/** Creates the first pipeline of a new workspace and copies its owner, who receives reassigned records. */
export const openWorkspace = on(WorkspaceProvisioned, 'crm.open-workspace', async ({ event, db }) => {
  await upsertOwner(db, event.owner_id);
  await provideDefaults(db);
});
