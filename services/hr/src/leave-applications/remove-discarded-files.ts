/** Removes stored documents that no application names any more. The rows of `discarded_files` are made by the database itself. */
import { fileRemoval } from '@suite/chassis';
import type { Db } from '../operations.ts';

export const removeDiscardedFiles = fileRemoval<Db>('hr.remove-files');
