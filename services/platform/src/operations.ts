import { randomUUID } from 'node:crypto';
import { type Clients, type Confined, consumers, type Context, type Emit, methods, operations } from '@suite/chassis';
import { CrmServiceDefinition } from '@suite/proto/crm/v1/crm';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { ProjectsServiceDefinition } from '@suite/proto/projects/v1/projects';
import type { PrismaClient } from './generated/client.ts';

/** The services that platform asks. */
export const calls = {
  crm: CrmServiceDefinition,
  finance: FinanceServiceDefinition,
  projects: ProjectsServiceDefinition,
};
export type Rpc = Clients<typeof calls>;

/** This service's database, as its handlers see it. */
export type Db = Confined<PrismaClient>;

/** The access of a command to the database before its own transaction, for what is asked of others meanwhile. */
export type Read = <T>(work: (db: Db) => Promise<T>) => Promise<T>;
export type Write = <T>(work: (db: Db, emit: Emit) => Promise<T>) => Promise<T>;

/** Sessions, keys, users and roles are part of every plan, so there is no module to ask for. */
export const { query, command } = operations<Db, Rpc>();
/** The verbs of integrations, each of which is a module of plans. */
export const inSmsGateway = operations<Db>({ module: 'smsgateway' });
export const inToDoList = operations<Db>({ module: 'todolist' });
export const inSocialPost = operations<Db>({ module: 'socialpost' });
export const on = consumers<Db>();
export const method = methods<Db>();

/** The context of a transaction that no caller asked for; without a workspace until it enters one. */
export const byItself = (operation: string, workspace_id: string | null = null): Context => ({
  workspace_id,
  caller: null,
  operation,
  request_id: randomUUID(),
});
