/** Removes stored objects whose last row is gone. The rows of `discarded_files` are made by the database itself. */
import { clock, fileRemoval, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

const BATCH = 100;

/** An object that another row still names, as after a conversion, stays. */
export const removeDiscardedFiles = fileRemoval<Db>(
  'crm.remove-files',
  30_000,
  (notPostponed) => sql`
    SELECT workspace_id, key, EXISTS (
      SELECT FROM files WHERE files.workspace_id = gone.workspace_id AND files.key = gone.key) AS used
    FROM discarded_files AS gone
    WHERE discarded_at <= ${clock.now()} AND ${notPostponed} ORDER BY discarded_at LIMIT ${BATCH}`,
);
