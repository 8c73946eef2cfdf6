/** The front door of the chassis for those who read declarations: the writers of documents, and conformance tests. */
export { eventName, type EventMessage } from './operation/events.ts';
export { type FaultMaker, standardFaults } from './runtime/fault.ts';
export type { Lifecycle } from './operation/lifecycle.ts';
export { tables } from './operation/fields.ts';
export { columnOf, type ListQuery, OPERATORS } from './operation/list.ts';
export type { Fields, Operation, Reply } from './operation/operation.ts';
export { operationsOf, type Service } from './service.ts';
