/** The front door of the chassis for those who read declarations: the writers of documents, and conformance tests. */
export { eventName, type EventMessage } from './events.ts';
export { type FaultMaker, standardFaults } from './fault.ts';
export type { Lifecycle } from './lifecycle.ts';
export { tables } from './fields.ts';
export { columnOf, type ListQuery } from './list.ts';
export type { Fields, Operation, Reply } from './operation.ts';
export { operationsOf, type Service } from './service.ts';
