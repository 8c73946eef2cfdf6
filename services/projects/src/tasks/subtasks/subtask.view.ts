import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import type { z } from 'zod';
import type { Db } from '../../operations.ts';
import { subtaskActions } from './subtask.rules.ts';
import type { Subtask } from './subtask.schema.ts';

/** Returns the checklist of a task, in order. */
export const readSubtasks = ({ db, caller }: { db: Db; caller: Caller }, item_id: string) =>
  db.rows<z.input<typeof Subtask>>(sql`
    SELECT id, name, done, due, position, version, ${subtaskActions.shownTo(caller, 'subtasks')} AS allowed_actions
    FROM subtasks WHERE item_id = ${item_id}::uuid ORDER BY position`);
