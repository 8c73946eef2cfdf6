/** Removes stored documents that no leave request refers to. Database triggers write the rows of `discarded_files`. */
import { fileRemoval } from '@suite/chassis/files';
import type { Db } from '../../operations.ts';

export const removeDiscardedFiles = fileRemoval<Db>('hr.remove-files');
