import { WorkspaceProvisioned } from '@suite/proto/platform/v1/events';
import { upsertOwner } from '@suite/user-copies';
import { provideCategories } from '../tickets/categories/defaults.ts';
import { provideCannedReplies } from '../tickets/canned/defaults.ts';
import { on } from '../operations.ts';
import { providePolicy } from '../sla/sla/defaults.ts';
import { provideSettings } from '../settings/settings/settings.ts';

/** Prepares a new workspace for its first ticket. */
export const openWorkspace = on(WorkspaceProvisioned, 'support.open-workspace', async ({ event, db }) => {
  await upsertOwner(db, event.owner_id);
  await provideSettings(db, event.name);
  await provideCategories(db);
  await provideCannedReplies(db);
  await providePolicy(db, event.timezone || 'UTC');
});
