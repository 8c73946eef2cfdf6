/** The front door of the chassis for those who read declarations: the writers of documents, and conformance tests. */
export { eventName, type EventMessage } from './operation/events.ts';
export { type FaultMaker, standardFaults } from './runtime/fault.ts';
export type { Lifecycle } from './operation/lifecycle.ts';
export { choosable } from './operation/choice.ts';
export { tables } from './operation/fields.ts';
export { isListQuery, type ListQuery } from './operation/list.ts';
export { columnOf, operatorsOf } from './operation/list-filter.ts';
export type { Fields, Operation, Reply } from './operation/operation.ts';
export { operationsOf, type Service } from './service.ts';
