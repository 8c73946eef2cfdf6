import { WorkspaceProvisioned } from '@suite/proto/platform/v1/events';
import { upsertOwner } from '@suite/user-copies';
import { provideCategories } from '../tickets/categories/default-categories.ts';
import { provideCannedReplies } from '../tickets/canned/default-replies.ts';
import { on } from '../operations.ts';
import { providePolicy } from '../sla/sla/default-policy.ts';
import { provideSettings } from '../settings/settings/settings.ts';

/** Prepares a new workspace for its first ticket. */
export const createDefaults = on(WorkspaceProvisioned, 'support.open-workspace', async ({ event, db }) => {
  await upsertOwner(db, event.owner_id);
  await provideSettings(db, event.name);
  await provideCategories(db);
  await provideCannedReplies(db);
  await providePolicy(db, event.timezone || 'UTC');
});
