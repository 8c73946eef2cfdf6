import { WorkspaceEntitlementsChanged } from '@suite/proto/platform/v1/events';
import { switchIntegrations } from '../integrations/integration.ts';
import { on } from '../operations.ts';

/** An integration whose module goes off calls nobody any more, and goes on when the module comes back. */
export const switchIntegrationsByModules = on(
  WorkspaceEntitlementsChanged,
  'platform.switch-integrations',
  async ({ event, db }) => switchIntegrations(db, event.modules),
);
