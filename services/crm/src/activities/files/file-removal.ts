/** Removes stored objects without any remaining row. The database itself inserts the rows of `discarded_files`. */
import { sql } from '@suite/chassis/database';
import { fileRemoval } from '@suite/chassis/files';
import type { Db } from '../../operations.ts';

/** Removes discarded files. An object that another row references, as after a conversion, remains. */
export const removeDiscardedFiles = fileRemoval<Db>(
  'crm.remove-files',
  sql`EXISTS (SELECT FROM files WHERE files.workspace_id = gone.workspace_id AND files.key = gone.key)`,
);
