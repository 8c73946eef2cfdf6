import type { WorkspaceDatabase } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type Emit, operations } from '@suite/chassis/operations';
import { type Clients, methods } from '@suite/chassis/rpc';
import { consumers } from '@suite/chassis/service';
import { CrmServiceDefinition } from '@suite/proto/crm/v1/crm';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { InventoryServiceDefinition } from '@suite/proto/inventory/v1/inventory';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import type { PrismaClient } from './generated/client.ts';

/** Services that projects calls. */
export const calls = {
  crm: CrmServiceDefinition,
  platform: PlatformServiceDefinition,
  finance: FinanceServiceDefinition,
  inventory: InventoryServiceDefinition,
};

export type Db = WorkspaceDatabase<PrismaClient>;
export type Rpc = Clients<typeof calls>;

/** Operations of each module that projects serves. */
export const inProjects = operations<Db, Rpc>({ module: 'projects' });
export const inLight = operations<Db, Rpc>({ module: 'lightproj' });
export const inTime = operations<Db, Rpc>({ module: 'timetracker' });
export const on = consumers<Db, Rpc>();
export const method = methods<Db>();

/** Context of a command. */
export interface CommandContext {
  db: Db;
  caller: Caller;
  emit: Emit;
}

/** Records the next saga step before the transaction of a command. */
export type Write = <T>(work: (db: Db, emit: Emit) => Promise<T>) => Promise<T>;
