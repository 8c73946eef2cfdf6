/** The state of the workspaces that tokens name. */
import type { Clients } from '@suite/chassis/rpc';
import type { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';

type Rpc = Clients<{ platform: typeof PlatformServiceDefinition }>;

/** Asks platform whether a workspace is active, and for its modules. */
export const lookUpWorkspace = ({ rpc }: { rpc: Rpc }, workspace_id: string) =>
  rpc.platform.getWorkspace({ workspace_id });
