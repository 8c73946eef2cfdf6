import type { WorkspaceDatabase } from '@suite/chassis/database';
import { type ColumnOf, namesOf, type Tables } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { type Emit, operations } from '@suite/chassis/operations';
import { type Clients, methods } from '@suite/chassis/rpc';
import { consumers } from '@suite/chassis/service';
import { CrmServiceDefinition } from '@suite/proto/crm/v1/crm';
import { InventoryServiceDefinition } from '@suite/proto/inventory/v1/inventory';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import { ProjectsServiceDefinition } from '@suite/proto/projects/v1/projects';
import type { Prisma, PrismaClient } from './generated/client.ts';

/** Services that finance calls. */
export const calls = {
  platform: PlatformServiceDefinition,
  inventory: InventoryServiceDefinition,
  projects: ProjectsServiceDefinition,
  crm: CrmServiceDefinition,
};

export type Db = WorkspaceDatabase<PrismaClient>;
export type Rpc = Clients<typeof calls>;
/** Reads before the transaction of a command. */
export type Read = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** Writes before the transaction of a command, to record an upcoming request to another service. */
export type Write = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** Operations of the module `accounting`. */
export const accounting = operations<Db, Rpc>({ module: 'accounting' });
export const on = consumers<Db, Rpc>();
export const method = methods<Db>();

/** Context of a command, as passed to its rules. Automatic work of finance has no caller. */
export interface CommandContext {
  db: Db;
  caller: Caller | null;
  emit: Emit;
}

/** Operations of the sales, purchases and commissions modules, and of the API for third parties. */
export const invoicing = operations<Db, Rpc>({ module: 'invoicing' });
export const purchasing = operations<Db, Rpc>({ module: 'purchasing' });
export const salesAgent = operations<Db, Rpc>({ module: 'sales_agent' });
export const apiV1 = operations<Db, Rpc>({ module: 'api_v1' });

type NamedTables = Tables<Prisma.TypeMap>;

/** Table that statements name by a variable. */
export type Table = keyof NamedTables;

/** Column of a table. Defaults to any table. */
export type Column<Name extends Table = never> = ColumnOf<NamedTables, Name>;

export const { tableNamed, columnNamed } = namesOf<NamedTables>();
