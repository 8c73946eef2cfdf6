import { type WorkspaceDatabase, serializer } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type Emit, operations } from '@suite/chassis/operations';
import { type Clients, methods } from '@suite/chassis/rpc';
import { consumers } from '@suite/chassis/service';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import type { PrismaClient } from './generated/client.ts';

/** Services that inventory calls. */
export const calls = { finance: FinanceServiceDefinition, platform: PlatformServiceDefinition };

export type Db = WorkspaceDatabase<PrismaClient>;
export type Rpc = Clients<typeof calls>;

/** Operation builders of each plan module of inventory. */
export const inProducts = operations<Db, Rpc>({ module: 'products' });
export const inWarehouse = operations<Db, Rpc>({ module: 'warehouse' });
export const inPos = operations<Db, Rpc>({ module: 'pos' });
export const on = consumers<Db, Rpc>();
export const method = methods<Db>();

/** Locks of rules over several rows. */
export const serializeOn = serializer<'units' | 'categories' | 'warehouses' | 'demo'>();

/** Context of a command. */
export interface CommandContext {
  db: Db;
  caller: Caller;
  emit: Emit;
}
