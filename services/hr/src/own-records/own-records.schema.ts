import { Timestamp } from '@suite/chassis';
import { z } from 'zod';

/** All that is kept about somebody, by what it is; rows as they are kept, with what is sealed opened. */
export const OwnRecords = z
  .object({
    as_of: Timestamp,
    data: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  })
  .meta({ id: 'OwnRecords' });
