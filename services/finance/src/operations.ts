import { type Caller, type Clients, type Confined, consumers, type Emit, methods, operations } from '@suite/chassis';
import { CrmServiceDefinition } from '@suite/proto/crm/v1/crm';
import { InventoryServiceDefinition } from '@suite/proto/inventory/v1/inventory';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import { ProjectsServiceDefinition } from '@suite/proto/projects/v1/projects';
import type { PrismaClient } from './generated/client.ts';

/** The services that finance asks. */
export const calls = {
  platform: PlatformServiceDefinition,
  inventory: InventoryServiceDefinition,
  projects: ProjectsServiceDefinition,
  crm: CrmServiceDefinition,
};

export type Db = Confined<PrismaClient>;
export type Rpc = Clients<typeof calls>;
/** Records, before the transaction of a command, what another service is about to be asked for. */
export type Write = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** The verbs of the endpoints that belong to the plan module `accounting`. */
export const accounting = operations<Db, Rpc>({ module: 'accounting' });
export const on = consumers<Db, Rpc>();
export const method = methods<Db>();

/** The context of a command, as its rules take it. Work that finance does by itself has no caller. */
export interface CommandContext {
  db: Db;
  caller: Caller | null;
  emit: Emit;
}

/** The verbs for the modules of sales, purchases and commissions, and for the API that third parties build on. */
export const invoicing = operations<Db, Rpc>({ module: 'invoicing' });
export const purchasing = operations<Db, Rpc>({ module: 'purchasing' });
export const salesAgent = operations<Db, Rpc>({ module: 'sales_agent' });
export const apiV1 = operations<Db, Rpc>({ module: 'api_v1' });
