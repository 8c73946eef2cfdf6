import { type Caller, type Clients, type Confined, consumers, type Emit, operations } from '@suite/chassis';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import type { PrismaClient } from './generated/client.ts';

/** The services that crm asks. */
export const calls = { platform: PlatformServiceDefinition };

export type Db = Confined<PrismaClient>;
export type Rpc = Clients<typeof calls>;

export const { query, command } = operations<Db, Rpc>({ module: 'crm' });
export const on = consumers<Db, Rpc>();

/** What the rules of a command work with. */
export interface Work {
  db: Db;
  caller: Caller;
  emit: Emit;
}
