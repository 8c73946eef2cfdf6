import { WorkspaceProvisioned } from '@suite/proto/platform/v1/events';
import { provideDefaults } from '../catalogue/defaults.ts';
import { on } from '../operations.ts';

/** Prepares a new workspace, so that it can receive goods immediately. */
export const openWorkspace = on(WorkspaceProvisioned, 'inventory.open-workspace', ({ db }) => provideDefaults(db));
