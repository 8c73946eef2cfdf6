import { choice, Id } from '@suite/chassis';
import { z } from 'zod';

/** A user in a few words, as lists and boards show it beside a record. */
export const UserLabel = z
  .object({ id: Id, name: z.string(), kind: choice('owner', 'staff', 'client', 'vendor') })
  .meta({ id: 'UserLabel' });

/** A user with a picture. For services whose copies have the column `avatar_url`. */
export const UserPortrait = UserLabel.extend({
  avatar_url: z.string().nullable().describe('Where the gateway serves the photo, to everybody who has this address.'),
}).meta({ id: 'UserPortrait' });
