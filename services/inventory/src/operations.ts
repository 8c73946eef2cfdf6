import { type Caller, type Confined, consumers, type Emit, operations } from '@suite/chassis';
import type { PrismaClient } from './generated/client.ts';

export type Db = Confined<PrismaClient>;

/** The verbs of each plan module that inventory serves. */
export const inProducts = operations<Db>({ module: 'products' });
export const inWarehouse = operations<Db>({ module: 'warehouse' });
export const inPos = operations<Db>({ module: 'pos' });
export const on = consumers<Db>();

/** What the rules of a command work with. */
export interface Work {
  db: Db;
  caller: Caller;
  emit: Emit;
}
