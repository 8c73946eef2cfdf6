/** Removes stored objects whose row is gone. The rows of `discarded_files` are made by the database itself. */
import { fileRemoval } from '@suite/chassis';
import type { Db } from '../operations.ts';

export const removeDiscardedFiles = fileRemoval<Db>('support.remove-files');
