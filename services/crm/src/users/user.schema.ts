import { choice, Id, list, Timestamp } from '@suite/chassis';
import { z } from 'zod';

/** A user in a few words, as lists and boards show it beside a record. */
export const UserLabel = z
  .object({ id: Id, name: z.string(), kind: choice('owner', 'staff', 'client', 'vendor') })
  .meta({ id: 'CrmUserLabel' });

/** Somebody who can be chosen in a form. */
export const UserChoice = UserLabel.extend({ email: z.string().nullable() }).meta({ id: 'CrmUserChoice' });

/** A colleague in the list of those who can own a lead. */
export const Colleague = UserChoice.extend({ updated_at: Timestamp }).meta({ id: 'CrmColleague' });

export const ColleagueFilter = list(Colleague, {
  filter: ['name', 'email', 'kind'],
  sort: ['name', 'updated_at'],
  search: true,
});
