/** Public API of the chassis for services. */
export { inDecimalsOf } from './schema/amounts.ts';
export { Country, Locale } from './schema/locale.ts';
export { BusinessDay, BusinessMoment, PlannedDay } from './schema/business-day.ts';
export { type ColumnOf, namesOf, type Tables } from './schema/tables.ts';
export { isApiKey, newApiKey } from './identity/api-key.ts';
export { linkTokens, prefixedTokens } from './identity/workspace-token.ts';
export { clock, today } from './runtime/clock.ts';
export {
  address,
  databaseSettings,
  type DatabaseSettings,
  deadline,
  readSettings,
  serviceConfig,
} from './runtime/config.ts';
export { consumers } from './messaging/consume.ts';
export { type Confined, type Database, openDatabase, type Rows } from './database/database.ts';
export {
  asSeen,
  checkConstraints,
  type Context,
  dueAtOnce,
  regardlessOfVisibility,
  setLocally,
} from './database/running.ts';
export {
  attempt,
  enterWorkspace,
  everyWorkspace,
  violatedConstraint,
  withinWorkspace,
} from './database/transaction.ts';
export type { Emit } from './operation/events.ts';
export {
  AlreadyExists,
  BeingDeleted,
  Fault,
  type FaultMaker,
  fault,
  Forbidden,
  InUse,
  InvalidTransition,
  invalid,
  ModuleDisabled,
  NotFound,
  refusedUnder,
  PlanLimit,
  Stale,
  TooManyRequests,
  Unauthenticated,
  ValidationFailed,
} from './runtime/fault.ts';
export {
  choice,
  Color,
  Currency,
  Day,
  Discount,
  Email,
  foreignId,
  Id,
  idCheckedBy,
  idOf,
  inner,
  input,
  ShortText,
  Money,
  BaseMoneyOut,
  MoneyOut,
  moneyOutIn,
  OuterMoneyOut,
  Name,
  LongText,
  midnight,
  Percentage,
  Phone,
  Qty,
  DecimalOut,
  QtyOut,
  record,
  refTo,
  secret,
  Time,
  Timestamp,
  Url,
  version,
  Zone,
} from './schema/fields.ts';
export { absoluteUrl } from './runtime/public-address.ts';
export type { Mailer } from '@suite/mail';
export { sendLinked, sendPublic } from './http/linked-file.ts';
export { enterByToken } from './http/linked-workspace.ts';
export { FileRefusedByScan, ScanUnavailable } from './runtime/fault.ts';
export { KINDS as FILE_KINDS } from './files/file-type.ts';
export { decodeText } from './files/text-content.ts';
export { type FileLinks, LinkExpired } from './identity/file-links.ts';
export { assertInScope } from './identity/permissions.ts';
export { sendFile, storeFile, type StoredFile } from './operation/files.ts';
export type { Storage } from './operation/storage.ts';
export { type Caller, derivedSecret, type Keys, loadKeys, onBehalfOf } from './identity/identity.ts';
export { addMasterKey, type MasterKeys, masterKeyOf, masterKeysIn } from './identity/master-keys.ts';
export type { Log } from './runtime/log.ts';
export { orderedId } from './runtime/ordered-id.ts';
export { PAGE_STYLE, pageHeaders } from './runtime/page-headers.ts';
export { Actions, type Lifecycle, lifecycle, stateRequest } from './lifecycle/lifecycle.ts';
export { expandable, onDemand } from './lists/choice.ts';
export { list, type ListQuery, type ListRequest, type Page } from './lists/list.ts';
export {
  cached,
  created,
  type Operation,
  ok,
  operations,
  page,
  removed,
  repeatable,
  sameAs,
  stream,
  upserted,
} from './operation/operation.ts';
export {
  andAlso,
  can,
  canSave,
  open,
  forInstances,
  openByFileLink,
  openByLink,
  openByLinkOf,
  openToBearer,
  openToSigned,
  openToReports,
  openToSites,
  signedIn,
  signedInStaff,
  anyCredential,
  trackersToo,
} from './operation/access.ts';
export { MEDIA, type RequestFacts, type Send } from './operation/answering.ts';
export { counted } from './reading/counted.ts';
export { assertUnused, inUse } from './reading/in-use.ts';
export { type Matches, newestMatches, searchQuery } from './reading/matches.ts';
export { type Expansion, many, one, paginate } from './reading/paginate.ts';
export { parseListRequest } from './reading/list-visible.ts';
export { assertSeen, change, find, remove, serializer } from './database/records.ts';
export { sendToCaches } from './http/cache.ts';
export { DryRun } from './http/dry-run.ts';
export { putInOrder, withPlace } from './database/positions.ts';
export { expandOne, insertOne, readOne, shownColumns, type View } from './reading/rows.ts';
export { batch, sql } from './database/sql.ts';
export { deleteKeys, fingerprintOf, KeyReused, KeyReversed, undoKeys } from './rpc/keys.ts';
export { methods, serveMethods } from './rpc/method.ts';
export { type Clients, serveRpc } from './rpc/rpc.ts';
export { eachDue, notPostponed } from './schedules/due-work.ts';
export { fileRemoval } from './schedules/file-removal.ts';
export { type StorageReport, storageReports } from './schedules/storage-report.ts';
export { storageRoom } from './schedules/stored-objects.ts';
export { owned, type Owned, type Reference, referencesTo } from './references/reference.ts';
export { every, findEverywhere, scheduled, shareOut } from './schedules/schedule.ts';
export { service, type Service, type Tools } from './service.ts';
export {
  allOf,
  among,
  anyOf,
  type Condition,
  isActor,
  linkedBy,
  noneOr,
  notAmong,
  ownedBy,
  refersTo,
  sees,
  seesAll,
} from './visibility/condition.ts';
export {
  allUsers,
  follows,
  ownRows,
  hidden,
  shared,
  staffAnd,
  staffOnly,
  visibility,
  type Visibility,
} from './visibility/visibility.ts';
export { run } from './start.ts';
export { empty, join, raw, type Sql } from '@prisma/client/runtime/client';
