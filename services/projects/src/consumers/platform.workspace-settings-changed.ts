import { WorkspaceSettingsChanged } from '@suite/proto/platform/v1/events';
import { on } from '../operations.ts';
import { copyTimezone } from '../work/settings/settings.ts';

/** Copies the time zone of the workspace, for recurring tasks and daily e-mails. */
export const copyTimezoneOfWorkspace = on(
  WorkspaceSettingsChanged,
  'projects.copy-timezone',
  ({ event, envelope, db }) => copyTimezone(db, event.timezone, envelope.position),
);
