/** Access to the database: statements, transactions, records. */
export { type Confined, type Database, openDatabase, type Rows } from '../database/database.ts';
export {
  asSeen,
  checkConstraints,
  type Context,
  dueAtOnce,
  regardlessOfVisibility,
  setLocally,
} from '../database/running.ts';
export {
  attempt,
  enterWorkspace,
  everyWorkspace,
  violatedConstraint,
  withinWorkspace,
} from '../database/transaction.ts';
export { assertSeen, change, find, oncePerTransaction, remove, serializer } from '../database/records.ts';
export { putInOrder, withPlace } from '../ranks/positions.ts';
export { batch, sql } from '../database/sql.ts';
export { attemptWithin, timeLeft } from '../reading/time-limit.ts';
export { empty, join, raw, type Sql } from '@prisma/client/runtime/client';
