/**
 * Copies of platform's users. Request bodies are checked against platform. The copies provide names and foreign keys,
 * and events update them.
 */
export { keepAvatar, recordVerifiedEmail, upsertFormerUser, upsertOwner, upsertUserProfile } from './copy.ts';
export { userFollowers } from './followers.ts';
export { fileLinkHolder } from './link-holder.ts';
export { type Recipient, recipientOf, recipientWhoSees, workspaceHas } from './recipient.ts';
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
