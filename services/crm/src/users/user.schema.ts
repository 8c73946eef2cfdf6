import { choice, Id } from '@suite/chassis';
import { z } from 'zod';

/** Who somebody is, in a few words: what lists and boards show beside a record. */
export const UserLabel = z
  .object({ id: Id, name: z.string(), kind: choice('owner', 'staff', 'client', 'vendor') })
  .meta({ id: 'CrmUserLabel' });

/** Somebody who can be chosen in a form. */
export const UserChoice = UserLabel.extend({ email: z.string().nullable() }).meta({ id: 'CrmUserChoice' });
