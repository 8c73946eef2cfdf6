import { WorkspaceProvisioned } from '@suite/proto/platform/v1/events';
import { provideDefaults } from '../catalogue/defaults.ts';
import { on } from '../operations.ts';

/** A new workspace can take its first goods in at once. */
export const openWorkspace = on(WorkspaceProvisioned, 'inventory.open-workspace', ({ db }) => provideDefaults(db));
