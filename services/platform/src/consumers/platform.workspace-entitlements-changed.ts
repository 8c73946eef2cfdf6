import { WorkspaceEntitlementsChanged } from '@suite/proto/platform/v1/events';
import { switchIntegrations } from '../connections/integrations/integration.ts';
import { on } from '../operations.ts';

/** Stops the calls of an integration when its module is disabled, and resumes them when the module is enabled again. */
export const switchIntegrationsByModules = on(
  WorkspaceEntitlementsChanged,
  'platform.switch-integrations',
  async ({ event, db }) => switchIntegrations(db, event.modules),
);
