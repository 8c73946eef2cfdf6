import { record } from '@suite/chassis';
import { z } from 'zod';
import { subject } from '../board/summaries.schema.ts';

export const File = record({
  ...subject,
  name: z.string(),
  size: z.int().describe('In bytes.'),
  mime: z.string(),
  url: z.string().describe('A link that opens the file for a quarter of an hour, without a token.'),
}).meta({ id: 'CrmFile' });
