/** The front door of the chassis: what a service may use of it. */
export { isApiKey, newApiKey } from './api-key.ts';
export { clock, today } from './clock.ts';
export { readSettings, serviceConfig } from './config.ts';
export { consumers } from './consume.ts';
export { type Confined, type Database, openDatabase } from './database.ts';
export { attempt, type Context, type Emit, enterWorkspace, everyWorkspace, violatedConstraint } from './transaction.ts';
export {
  AlreadyExists,
  Fault,
  type FaultMaker,
  fault,
  Forbidden,
  InUse,
  InvalidTransition,
  invalid,
  NotFound,
  Stale,
  TooManyRequests,
  Unauthenticated,
  ValidationFailed,
} from './fault.ts';
export {
  choice,
  Color,
  Currency,
  Day,
  Discount,
  Email,
  Id,
  idOf,
  input,
  Line,
  Money,
  MoneyOut,
  Name,
  Paragraph,
  Percentage,
  Phone,
  Qty,
  QtyOut,
  record,
  secret,
  Time,
  Timestamp,
  Url,
  version,
  Zone,
} from './fields.ts';
export type { Mailer } from '@suite/mail';
export { type FileLinks, LinkExpired, sendFile, type Storage, type StoredFile } from './files.ts';
export type { Caller, Keys } from './identity.ts';
export type { Log } from './log.ts';
export { type Lifecycle, lifecycle } from './lifecycle.ts';
export { list, type ListQuery, type ListRequest } from './list.ts';
export {
  can,
  created,
  type Operation,
  ok,
  open,
  operations,
  page,
  removed,
  type RequestFacts,
  type Send,
  sameAs,
  signedIn,
  stream,
  upserted,
} from './operation.ts';
export { type Expansion, many, one, paginate } from './paginate.ts';
export { assertSeen, change, find, remove } from './records.ts';
export { DryRun } from './rehearsal.ts';
export { insertOne, readOne, type View } from './rows.ts';
export { type Clients, type RpcContext, serveRpc } from './rpc.ts';
export { every, findEverywhere, onBehalfOf, scheduled } from './schedule.ts';
export { service, type Service, type Tools } from './service.ts';
export { run } from './start.ts';
export { empty, join, raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';
