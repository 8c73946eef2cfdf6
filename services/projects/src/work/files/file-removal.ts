/** Removes stored objects without a row. The database itself adds the rows of `discarded_files`. */
import { sql } from '@suite/chassis/database';
import { fileRemoval } from '@suite/chassis/files';
import type { Db } from '../../operations.ts';

export const removeDiscardedFiles = fileRemoval<Db>(
  'projects.remove-files',
  sql`EXISTS (SELECT FROM files WHERE files.workspace_id = gone.workspace_id AND files.key = gone.key)`,
);
