import { type Context, type Database, everyWorkspace, type Sql } from '@suite/chassis';
import type { Db } from './operations.ts';

/** The context of scheduled work: nobody's, in one workspace or, to find out what is due, in none. */
export const scheduled = (schedule: string, workspace_id: string | null): Context => ({
  workspace_id,
  caller: null,
  operation: `schedule:${schedule}`,
  request_id: '',
});

/** What is due, over all workspaces. What is found is then done inside its own workspace. */
export const findEverywhere = <Row>(database: Database<Db>, schedule: string, statement: Sql): Promise<Row[]> =>
  database.read(scheduled(schedule, null), (db) => everyWorkspace(db, () => db.rows<Row>(statement)));
