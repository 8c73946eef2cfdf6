import { type Confined, consumers, type Emit, methods, operations } from '@suite/chassis';
import type { PrismaClient } from './generated/client.ts';

/** The example database, as operations see it. */
export type Db = Confined<PrismaClient>;

/** Operation builders of this service, which belongs to the plan module `crm`. */
export const { query, command } = operations<Db>({ module: 'crm' });
export const on = consumers<Db>();
export const method = methods<Db>();

/** The part of a command's context that <noun>.ts uses. */
export interface CommandContext {
  db: Db;
  emit: Emit;
}
