import { randomUUID } from 'node:crypto';
import { type Confined, consumers, type Context, methods, operations } from '@suite/chassis';
import type { PrismaClient } from './generated/client.ts';

/** This service's database, as its handlers see it. */
export type Db = Confined<PrismaClient>;

/** Sessions, keys, users and roles are part of every plan, so there is no module to ask for. */
export const { query, command } = operations<Db>();
export const on = consumers<Db>();
export const method = methods<Db>();

/** The context of a transaction that no caller asked for; without a workspace until it enters one. */
export const byItself = (operation: string, workspace_id: string | null = null): Context => ({
  workspace_id,
  caller: null,
  operation,
  request_id: randomUUID(),
});
