/** Public API of the chassis for readers of declarations: documentation generators and conformance tests. */
export { eventName, type EventMessage } from './operation/events.ts';
export { everyFault, type FaultMaker, standardFaults } from './runtime/fault.ts';
export { doneBy } from './actions.ts';
export type { Life } from './lifecycle/lifecycle.ts';
export { actionsShownIn } from './lifecycle/shown-actions.ts';
export { choosable } from './lists/choice.ts';
export { foreignIds, tables } from './schema/fields.ts';
export {
  idsIn,
  type Owned,
  type ReferenceColumn,
  placesOf,
  type Reference,
  referencesSql,
  refusing,
} from './references/reference.ts';
export { foreignIn } from './references/guards.ts';
export { marked } from './schema/schema-walk.ts';
export { isListQuery, type ListQuery, type SearchedTexts } from './lists/list.ts';
export { columnOf, operatorsOf } from './lists/list-filter.ts';
export { type Fields, type Operation, type Reply } from './operation/operation.ts';
export { accountScope, callerCheckOf, everyPermissionOf, openedBy, requiredPermissions } from './operation/access.ts';
export { docsUrl } from './http/answer.ts';
export { type DeclaredOperations, calledBy, operationsOf, type Service } from './service.ts';
export { type Format, MEDIA } from './operation/answering.ts';
export { addDateWarnings } from './operation/dated.ts';
export { innerFields } from './schema/fields.ts';
export { amounts, type CurrencyOf, writeAmounts } from './schema/amounts.ts';
export { type Condition, described } from './visibility/condition.ts';
export { visibilitySql } from './visibility/policy.ts';
export { nounsOf } from './visibility/seen.ts';
export type { Visibility } from './visibility/visibility.ts';
