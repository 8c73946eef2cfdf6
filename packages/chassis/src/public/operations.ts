/** Declarations of operations: access, lifecycle, replies. */
export type { Emit } from '../operation/events.ts';
export { enterByToken } from '../http/linked-workspace.ts';
export { lifecycle, type Lifecycle } from '../lifecycle/lifecycle.ts';
export { moveTo, stateRequest } from '../lifecycle/state-request.ts';
export { recordActions, type RecordActions } from '../lifecycle/record-actions.ts';
export { Actions } from '../lifecycle/shown-actions.ts';
export { withDateWarnings, Warning } from '../operation/date-warnings.ts';
export {
  anyFile,
  cached,
  created,
  fileOf,
  ok,
  type Operation,
  operations,
  page,
  removed,
  repeatable,
  withRoute,
  upserted,
} from '../operation/operation.ts';
export {
  withPermission,
  anyCredential,
  can,
  canSave,
  forInstances,
  withCheck,
  open,
  openByFileLink,
  openByLink,
  openByLinkOf,
  openToBearer,
  openToReports,
  openToSigned,
  openToSites,
  anyUser,
  anyStaff,
  anyStaffCredential,
  withTrackers,
} from '../operation/access.ts';
export { MEDIA, type RequestMetadata, type ResponseWriter } from '../operation/answering.ts';
export { sendToCaches } from '../http/cache.ts';
