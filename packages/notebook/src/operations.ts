import { type Confined, operations } from '@suite/chassis';
import type { PrismaClient } from './generated/client.ts';

/** The notebook's database, as its operations see it. */
export type Db = Confined<PrismaClient>;

export const { query, command } = operations<Db>({ module: 'crm' });
