import { list, Timestamp } from '@suite/chassis';
import { UserLabel } from '@suite/users';
import { z } from 'zod';

/** A user who can be chosen in a form. */
export const UserChoice = UserLabel.extend({ email: z.string().nullable() }).meta({ id: 'CrmUserChoice' });

/** A colleague in the list of those who can own a lead. */
export const Colleague = UserChoice.extend({ updated_at: Timestamp }).meta({ id: 'CrmColleague' });

export const ColleagueFilter = list(Colleague, {
  filter: ['name', 'email', 'kind'],
  sort: ['name', 'updated_at'],
  search: true,
});
