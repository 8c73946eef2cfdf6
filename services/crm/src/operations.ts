import type { WorkspaceDatabase } from '@suite/chassis/database';
import { type ColumnOf, namesOf, type Tables } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { type Emit, operations } from '@suite/chassis/operations';
import { type Clients, methods } from '@suite/chassis/rpc';
import { consumers } from '@suite/chassis/service';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { InventoryServiceDefinition } from '@suite/proto/inventory/v1/inventory';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import type { Prisma, PrismaClient } from './generated/client.ts';

/** Services that crm calls. */
export const calls = {
  platform: PlatformServiceDefinition,
  inventory: InventoryServiceDefinition,
  finance: FinanceServiceDefinition,
};

export type Db = WorkspaceDatabase<PrismaClient>;
export type Rpc = Clients<typeof calls>;

export const { query, command } = operations<Db, Rpc>({ module: 'crm' });

/** Operations of the sales and proposals modules. */
export const sales = operations<Db, Rpc>({ module: 'sales' });
export const proposals = operations<Db, Rpc>({ module: 'proposals' });

export const on = consumers<Db, Rpc>();
export const method = methods<Db>();

/** Context of a command. */
export interface CommandContext {
  db: Db;
  caller: Caller;
  emit: Emit;
}

/** Reads from the database before the transaction of a command, in a separate snapshot. */
export type Read = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** Records the next saga step before the transaction of a command. */
export type Write = <T>(work: (db: Db, emit: Emit) => Promise<T>) => Promise<T>;

type NamedTables = Tables<Prisma.TypeMap>;

/** Table that statements name by a variable. */
export type Table = keyof NamedTables;

/** Column of a table. Defaults to any table. */
export type Column<Name extends Table = never> = ColumnOf<NamedTables, Name>;

export const { tableNamed, columnNamed } = namesOf<NamedTables>();
