import { type Confined, operations } from '@suite/chassis';
import type { PrismaClient } from './generated/client.ts';

/** This service's database, as its handlers see it. */
export type Db = Confined<PrismaClient>;

/** Sessions, keys, users and roles are part of every plan, so there is no module to ask for. */
export const { query, command } = operations<Db>();
