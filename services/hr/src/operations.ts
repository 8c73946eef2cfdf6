import { type Confined, consumers, operations } from '@suite/chassis';
import type { PrismaClient } from './generated/client.ts';

export type Db = Confined<PrismaClient>;

/** The verbs of the plan module that hr serves. */
export const { query, command } = operations<Db>({ module: 'hrm' });
export const on = consumers<Db>();
