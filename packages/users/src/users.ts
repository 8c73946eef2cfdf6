/** Copies of platform's users: looked up when a body names them, kept for names and foreign keys, and brought up to date by events. */
export { upsertFormerUser, upsertOwner, upsertUserProfile } from './copy.ts';
export { userFollowers } from './followers.ts';
export { UserLabel } from './user.schema.ts';
export {
  askForClients,
  askForStaff,
  colleagues,
  type Person,
  personOf,
  upsertUserCopies,
  userLabelOf,
  userLabels,
} from './user.ts';
