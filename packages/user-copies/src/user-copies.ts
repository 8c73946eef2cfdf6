/**
 * Copies of platform's users. Request bodies are checked against platform. The copies provide names and foreign keys,
 * and events update them.
 */
export { storeAvatar, recordVerifiedEmail, upsertFormerUser, upsertOwner, upsertUserProfile } from './copy.ts';
export { userCopies } from './declared-copies.ts';
export { userFollowers } from './followers.ts';
export { fileLinkHolder } from './link-holder.ts';
export { type Recipient, recipientOf, recipientWithAccess, hasModule } from './recipient.ts';
export { UserRightsInput, callerWithRights } from './rights.ts';
export { AvatarUrl, UserLabel, UserPortrait } from './user.schema.ts';
export {
  fetchClients,
  fetchStaff,
  selectableUsers,
  type PlatformUser,
  userOf,
  upsertUserCopies,
  userLabelOf,
  userLabels,
  userPortraits,
} from './user.ts';
export { lookUpWorkspace } from './workspace-lookup.ts';
