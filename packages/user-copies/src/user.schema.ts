import { choice, Id } from '@suite/chassis/fields';
import { absoluteUrl } from '@suite/chassis/runtime';
import { z } from 'zod';

/** Short form of a user, as lists and boards show it next to a record. */
export const UserLabel = z
  .object({ id: Id, name: z.string(), kind: choice('owner', 'staff', 'client', 'vendor') })
  .meta({ id: 'UserLabel' });

/** The URL of a user's photo. Stored as a path, so that it follows the suite's base URL. */
export const AvatarUrl = z
  .string()
  .overwrite(absoluteUrl)
  .nullable()
  .describe('Absolute URL of the photo. Anyone with the URL can open it. `null` without a photo.');

/** A user with their photo. For services whose copies have the column `avatar_url`. */
export const UserPortrait = UserLabel.extend({
  avatar_url: AvatarUrl,
}).meta({ id: 'UserPortrait' });
