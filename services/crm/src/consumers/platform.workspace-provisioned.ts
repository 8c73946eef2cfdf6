import { WorkspaceProvisioned } from '@suite/proto/platform/v1/events';
import { on } from '../operations.ts';
import { openWorkspace } from '../pipelines/first-pipeline.ts';
import { keepOwner } from '../users/copy.ts';

/** A new workspace can take its first lead at once, and its owner is known to whoever hands work over. */
export const openProvisioned = on(WorkspaceProvisioned, 'crm.open-workspace', async ({ event, db }) => {
  await keepOwner(db, event.owner_id);
  await openWorkspace(db);
});
