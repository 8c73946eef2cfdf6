/** Declarations of operations: access, lifecycle, replies. */
export type { Emit } from '../operation/events.ts';
export { enterByToken } from '../http/linked-workspace.ts';
export { lifecycle, type Lifecycle } from '../lifecycle/lifecycle.ts';
export { moveTo, stateRequest } from '../lifecycle/state-request.ts';
export { recordActions, type RecordActions } from '../lifecycle/record-actions.ts';
export { Actions } from '../lifecycle/shown-actions.ts';
export { dated, Warning } from '../operation/dated.ts';
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
  sameAs,
  upserted,
} from '../operation/operation.ts';
export {
  andAlso,
  anyCredential,
  can,
  canSave,
  forInstances,
  onlyFor,
  open,
  openByFileLink,
  openByLink,
  openByLinkOf,
  openToBearer,
  openToReports,
  openToSigned,
  openToSites,
  signedIn,
  signedInStaff,
  trackersToo,
} from '../operation/access.ts';
export { MEDIA, type RequestFacts, type Send } from '../operation/answering.ts';
export { sendToCaches } from '../http/cache.ts';
