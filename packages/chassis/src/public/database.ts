/** Access to the database: statements, transactions, records. */
export { type WorkspaceDatabase, type Database, openDatabase, type RowReader } from '../database/database.ts';
export {
  asCaller,
  checkConstraints,
  type TransactionContext,
  runAfterCommit,
  regardlessOfVisibility,
  setLocally,
} from '../database/running.ts';
export {
  withSavepoint,
  enterWorkspace,
  everyWorkspace,
  violatedConstraint,
  runInWorkspace,
} from '../database/transaction.ts';
export { assertVersion, change, find, oncePerTransaction, remove, serializer } from '../database/records.ts';
export { storePositions, moveToPosition } from '../ranks/positions.ts';
export { batch, sql } from '../database/sql.ts';
export { attemptWithTimeout, remainingTime } from '../reading/time-limit.ts';
export { empty, join, raw, type Sql } from '@prisma/client/runtime/client';
