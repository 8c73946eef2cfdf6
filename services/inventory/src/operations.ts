import { type Caller, type Clients, type Confined, consumers, type Emit, methods, operations } from '@suite/chassis';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import type { PrismaClient } from './generated/client.ts';

/** The services that inventory asks. */
export const calls = { finance: FinanceServiceDefinition, platform: PlatformServiceDefinition };

export type Db = Confined<PrismaClient>;
export type Rpc = Clients<typeof calls>;

/** The verbs of each plan module that inventory serves. */
export const inProducts = operations<Db, Rpc>({ module: 'products' });
export const inWarehouse = operations<Db, Rpc>({ module: 'warehouse' });
export const inPos = operations<Db, Rpc>({ module: 'pos' });
export const on = consumers<Db, Rpc>();
export const method = methods<Db>();

/** The context of a command, as its rules take it. */
export interface CommandContext {
  db: Db;
  caller: Caller;
  emit: Emit;
}
