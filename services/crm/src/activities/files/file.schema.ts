import { record } from '@suite/chassis/fields';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { fileActions } from './file.rules.ts';
import { subject } from '../../pipeline/board/summaries.schema.ts';

export const File = record({
  ...subject,
  name: z.string(),
  size: z.int().describe('In bytes.'),
  mime: z.string(),
  url: z
    .string()
    .describe(
      'Address of the file. Opens without a bearer token, stays the same for up to two hours and expires an hour later.',
    ),
  allowed_actions: Actions(fileActions),
}).meta({ id: 'CrmFile' });
