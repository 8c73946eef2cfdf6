/** Removes stored objects without a row. The database itself adds the rows of `discarded_files`. */
import { fileRemoval } from '@suite/chassis/files';
import type { Db } from '../../operations.ts';

export const removeDiscardedFiles = fileRemoval<Db>('support.remove-files');
