/** For tests only: a real service on a real database and a real bus, and callers with chosen rights. */
export { everyPermission, type Member, makeCaller, memberOf, type Rights, statuses } from './member.ts';
export { dataOf, type HttpCaller, type Reply } from './http.ts';
export { type Conformance, conformance } from './conformance/conformance.ts';
export type { IdempotentRequest } from './conformance/key-conformance.ts';
export { methodClients } from './conformance/method-clients.ts';
export { methodConformance } from './conformance/method-conformance.ts';
export { fontsOn, pagesOf, picturesOn, structureOf, wordsOn } from './pdf.ts';
export { eventually, isPutOff, patiently, together, until } from './patience.ts';
export { silentReferrers, usedElsewhere } from './neighbours/references.ts';
export { eventPublisher } from './event-publisher.ts';
export { expectRemovalToGoOn, poison, postponedIn } from './poison.ts';
export { scene } from './scene.ts';
export { keysOf, sentTo, type Serving, start, type StartOptions, startReplicas } from './start.ts';
export { explainedOn, explainFromNowOn } from './plans/explained.ts';
export { plans, type Planned } from './plans/plans.ts';
export { seclusion } from './conformance/visibility.ts';
export { stillClock } from './jest/still-clock.ts';
export { expectTables } from './tables.ts';
