/** Removes stored documents that no application names any more. The rows of `discarded_files` are made by the database itself. */
import { clock, fileRemoval, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

const BATCH = 100;

export const removeDiscardedFiles = fileRemoval<Db>(
  'hr.remove-files',
  30_000,
  (notPostponed) => sql`
    SELECT workspace_id, key, FALSE AS used
    FROM discarded_files AS gone WHERE discarded_at <= ${clock.now()} AND ${notPostponed} ORDER BY discarded_at LIMIT ${BATCH}`,
);
