import type { WorkspaceDatabase } from '@suite/chassis/database';
import { type Emit, operations } from '@suite/chassis/operations';
import { methods } from '@suite/chassis/rpc';
import { consumers } from '@suite/chassis/service';
import type { PrismaClient } from './generated/client.ts';

/** The example database, as operations see it. */
export type Db = WorkspaceDatabase<PrismaClient>;

/** Operation builders of this service, which belongs to the plan module `crm`. */
export const { query, command } = operations<Db>({ module: 'crm' });
export const on = consumers<Db>();
export const method = methods<Db>();

/** The part of a command's context that <noun>.ts uses. */
export interface CommandContext {
  db: Db;
  emit: Emit;
}
