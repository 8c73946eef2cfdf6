import { WorkspaceSettingsChanged } from '@suite/proto/platform/v1/events';
import { on } from '../operations.ts';
import { copyWorkspaceSettings } from '../organisation/settings/settings.ts';

/** Copies time zone and currency of the workspace. Shifts and devices have a time zone of their own, and keep it. */
export const copySettings = on(WorkspaceSettingsChanged, 'hr.copy-workspace-settings', ({ event, envelope, db }) =>
  copyWorkspaceSettings(db, event, envelope.position),
);
