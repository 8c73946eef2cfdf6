import { WorkspaceProvisioned } from '@suite/proto/platform/v1/events';
import { upsertOwner } from '@suite/user-copies';
import { on } from '../operations.ts';
import { installPack } from '../payroll/payroll-packs/pack.ts';
import { copyWorkspaceSettings } from '../organisation/settings/settings.ts';
import { provideSetup } from '../organisation/setup/defaults.ts';

/** Prepares a new workspace, so that it can add its first employee immediately. */
export const openWorkspace = on(WorkspaceProvisioned, 'hr.open-workspace', async ({ event, envelope, db }) => {
  await upsertOwner(db, event.owner_id);
  const timezone = event.timezone || 'UTC';
  await provideSetup(db, timezone);
  await copyWorkspaceSettings(db, { timezone, currency: event.currency }, envelope.position);
  await installPack(db, { timezone }, 'flat');
});
