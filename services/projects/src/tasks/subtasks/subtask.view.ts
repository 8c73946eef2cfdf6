import { sql } from '@suite/chassis/database';
import type { z } from 'zod';
import type { Db } from '../../operations.ts';
import type { Subtask } from './subtask.schema.ts';

/** Returns the checklist of a task, in order. */
export const readSubtasks = (db: Db, item_id: string) =>
  db.rows<z.input<typeof Subtask>>(sql`
    SELECT id, name, done, due, position, version FROM subtasks WHERE item_id = ${item_id}::uuid ORDER BY position`);
