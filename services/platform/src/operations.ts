import { randomUUID } from 'node:crypto';
import type { WorkspaceDatabase, TransactionContext } from '@suite/chassis/database';
import { type Emit, operations } from '@suite/chassis/operations';
import { type Clients, methods } from '@suite/chassis/rpc';
import { consumers } from '@suite/chassis/service';
import { CrmServiceDefinition } from '@suite/proto/crm/v1/crm';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { ProjectsServiceDefinition } from '@suite/proto/projects/v1/projects';
import { RecordServiceDefinition } from '@suite/proto/records/v1/records';
import type { PrismaClient } from './generated/client.ts';

/** Services whose records have a history. */
export const RECORD_SERVICES = ['crm', 'inventory', 'finance', 'projects', 'support', 'hr'] as const;
export type RecordServiceName = (typeof RECORD_SERVICES)[number];

/** Clients for the history of records, by their service: `crm.records`. */
const records = Object.fromEntries(
  RECORD_SERVICES.map((service) => [`${service}.records`, RecordServiceDefinition]),
) as Record<`${RecordServiceName}.records`, typeof RecordServiceDefinition>;

/** Services that platform calls. */
export const calls = {
  ...records,
  crm: CrmServiceDefinition,
  finance: FinanceServiceDefinition,
  projects: ProjectsServiceDefinition,
};
export type Rpc = Clients<typeof calls>;

/** Database of this service, as its handlers use it. */
export type Db = WorkspaceDatabase<PrismaClient>;

/** Access of a command to the database before its own transaction, between calls to other services. */
export type Read = <T>(work: (db: Db) => Promise<T>) => Promise<T>;
export type Write = <T>(work: (db: Db, emit: Emit) => Promise<T>) => Promise<T>;

/** Sessions, keys, users and roles are part of every plan, so no module is required. */
export const { query, command } = operations<Db, Rpc>();
/** Operations of integrations. Each integration is a module of plans. */
export const inSmsGateway = operations<Db>({ module: 'smsgateway' });
export const inToDoList = operations<Db>({ module: 'todolist' });
export const inSocialPost = operations<Db>({ module: 'socialpost' });
export const on = consumers<Db>();
export const method = methods<Db>();

/** Returns the context of a transaction without a caller. It has no workspace until it enters one. */
export const withoutCaller = (operation: string, workspace_id: string | null = null): TransactionContext => ({
  workspace_id,
  caller: null,
  operation,
  request_id: randomUUID(),
});
