/** Removes stored objects whose last row is gone. The rows of `discarded_files` are made by the database itself. */
import { fileRemoval, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/** An object that another row still names, as after a conversion, stays. */
export const removeDiscardedFiles = fileRemoval<Db>(
  'crm.remove-files',
  sql`EXISTS (SELECT FROM files WHERE files.workspace_id = gone.workspace_id AND files.key = gone.key)`,
);
