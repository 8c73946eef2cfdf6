import { Timestamp } from '@suite/chassis/fields';
import { z } from 'zod';

/** Records of an employee by kind. Rows are returned as stored, with encrypted fields decrypted. */
export const OwnRecords = z
  .object({
    as_of: Timestamp,
    records: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  })
  .meta({ id: 'OwnRecords' });
