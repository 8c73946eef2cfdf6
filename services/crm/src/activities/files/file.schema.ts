import { record } from '@suite/chassis/fields';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { fileActions } from './file.rules.ts';
import { subject } from '../../pipeline/board/summaries.schema.ts';

export const File = record({
  ...subject,
  name: z.string(),
  size: z.int(),
  mime: z.string(),
  url: z.string().describe('Download URL. No token required. Expires after one to three hours.'),
  allowed_actions: Actions(fileActions),
}).meta({ id: 'CrmFile' });
