import { Timestamp } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { UserLabel } from '@suite/user-copies';
import { z } from 'zod';

/** User that can be selected in a form. */
export const UserChoice = UserLabel.extend({ email: z.string().nullable() }).meta({ id: 'CrmUserChoice' });

/** User in the list of possible lead owners. */
export const Colleague = UserChoice.extend({ updated_at: Timestamp }).meta({ id: 'CrmColleague' });

export const ColleagueFilter = list(Colleague, {
  filter: ['name', 'email', 'kind'],
  sort: ['name', 'updated_at'],
  search: true,
});
