import { input, LongText } from '@suite/chassis/fields';
import type { z } from 'zod';

export const Erasure = input({
  force_legal_basis: LongText.min(1)
    .optional()
    .describe('Legal basis for an erasure before the retention period has passed.'),
});
export type Erasure = z.output<typeof Erasure>;
