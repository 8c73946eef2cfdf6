/** Public API of the chassis for readers of declarations: documentation generators and conformance tests. */
export { eventName, type EventMessage } from './operation/events.ts';
export { everyFault, type FaultMaker, standardFaults } from './runtime/fault.ts';
export { performersOf } from './actions.ts';
export type { LifecycleDiagram } from './lifecycle/lifecycle.ts';
export { actionsShownIn } from './lifecycle/shown-actions.ts';
export { choicesOf } from './lists/choice.ts';
export { foreignIds, tables } from './schema/fields.ts';
export {
  idsIn,
  type OwnedKind,
  type ReferenceColumn,
  placesOf,
  type Reference,
  referencesSql,
  blockingReferences,
} from './references/reference.ts';
export {
  type CopiedKind,
  copiesSql,
  copyTriggersSql,
  copyValueSql,
  KNOWN_RECORDS,
  knownStates,
  originalsSql,
  type PublishedKind,
  type PublishedValues,
  workspaceColumnOf,
} from './references/copy.ts';
export { foreignFieldsIn } from './references/guards.ts';
export { marked } from './schema/schema-walk.ts';
export { isListQuery, type ListQuery, type SearchedTexts } from './lists/list.ts';
export { columnOf, operatorsOf } from './lists/list-filter.ts';
export { type Fields, type Operation, type Reply } from './operation/operation.ts';
export {
  accountScope,
  callerCheckOf,
  everyPermissionOf,
  openingPermissions,
  requiredPermissions,
} from './operation/access.ts';
export { docsUrl } from './http/answer.ts';
export { type DeclaredOperations, calledServices, type DeclaredStep, operationsOf, type Service } from './service.ts';
export { type Format, MEDIA } from './operation/answering.ts';
export { addDateWarnings } from './operation/date-warnings.ts';
export { innerFields } from './schema/fields.ts';
export { amounts, type CurrencyOf, writeAmounts } from './schema/amounts.ts';
export { type Condition, describeCondition } from './visibility/condition.ts';
export { visibilitySql } from './visibility/policy.ts';
export { nounsOf } from './visibility/caller-view.ts';
export type { Visibility } from './visibility/visibility.ts';
export { processSettings, serviceSettings } from './runtime/config.ts';
