import { absoluteUrl, choice, Id } from '@suite/chassis';
import { z } from 'zod';

/** A user in a few words, as lists and boards show it beside a record. */
export const UserLabel = z
  .object({ id: Id, name: z.string(), kind: choice('owner', 'staff', 'client', 'vendor') })
  .meta({ id: 'UserLabel' });

/** The address of a user's photo. It is stored as a path, so that it follows the address of the suite. */
export const AvatarUrl = z
  .string()
  .overwrite(absoluteUrl)
  .nullable()
  .describe('Absolute address of the photo, for anyone who has it; `null` without a photo.');

/** A user with a picture. For services whose copies have the column `avatar_url`. */
export const UserPortrait = UserLabel.extend({
  avatar_url: AvatarUrl,
}).meta({ id: 'UserPortrait' });
