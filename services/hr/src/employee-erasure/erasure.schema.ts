import { input, LongText } from '@suite/chassis';
import type { z } from 'zod';

export const Erasure = input({
  force_legal_basis: LongText.min(1)
    .optional()
    .describe('Why somebody is erased before the time for which records are kept is over.'),
});
export type Erasure = z.output<typeof Erasure>;
