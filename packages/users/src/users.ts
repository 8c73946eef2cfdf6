/** Copies of platform's users: looked up when a body names them, kept for names and foreign keys, and brought up to date by events. */
export { keepAvatar, recordVerifiedEmail, upsertFormerUser, upsertOwner, upsertUserProfile } from './copy.ts';
export { userFollowers } from './followers.ts';
export { fileLinkHolder } from './link-holder.ts';
export { StatedRights, withRights } from './rights.ts';
export { AvatarUrl, UserLabel, UserPortrait } from './user.schema.ts';
export {
  askForClients,
  askForStaff,
  colleagues,
  type Person,
  personOf,
  upsertUserCopies,
  userLabelOf,
  userLabels,
  userPortraits,
} from './user.ts';
export { lookUpWorkspace } from './workspace-lookup.ts';
