import { type Caller, type Clients, type Confined, consumers, type Emit, operations } from '@suite/chassis';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import type { PrismaClient } from './generated/client.ts';

/** The services that projects asks. */
export const calls = { platform: PlatformServiceDefinition };

export type Db = Confined<PrismaClient>;
export type Rpc = Clients<typeof calls>;

/** The verbs of each plan module that projects serves. */
export const inProjects = operations<Db, Rpc>({ module: 'projects' });
export const inLight = operations<Db, Rpc>({ module: 'lightproj' });
export const on = consumers<Db, Rpc>();

/** The context of a command, as its rules take it. */
export interface CommandContext {
  db: Db;
  caller: Caller;
  emit: Emit;
}
