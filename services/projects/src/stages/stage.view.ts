/** How stages are shown. */
import { type ListRequest, paginate, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/** What a board shows: tasks or bugs. */
export type CardKind = 'task' | 'bug';

/** One page of the stages of tasks or of bugs. */
export const listStages = (db: Db, request: ListRequest, kind: CardKind) =>
  paginate(db, request, { table: 'stages', where: sql`stages.kind = ${kind}` });
