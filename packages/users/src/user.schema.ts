import { choice, Id } from '@suite/chassis';
import { z } from 'zod';

/** A user in a few words, as lists and boards show it beside a record. */
export const UserLabel = z
  .object({ id: Id, name: z.string(), kind: choice('owner', 'staff', 'client', 'vendor') })
  .meta({ id: 'UserLabel' });
