/** Removes stored objects without a row. The database itself adds the rows of `discarded_files`. */
import { fileRemoval, sql } from '@suite/chassis';
import type { Db } from '../../operations.ts';

export const removeDiscardedFiles = fileRemoval<Db>(
  'projects.remove-files',
  sql`EXISTS (SELECT FROM files WHERE files.workspace_id = gone.workspace_id AND files.key = gone.key)`,
);
