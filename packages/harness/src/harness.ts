/** For tests only: a real service on a real database and a real bus, and callers with chosen rights. */
export { type Member, makeCaller, memberOf, type Rights, statuses } from './member.ts';
export type { Person, Reply } from './http.ts';
export { type Conformance, conformance } from './conformance.ts';
export type { Keyed } from './key-conformance.ts';
export { methodConformance } from './method-conformance.ts';
export { fontsOn, pagesOf, picturesOn, structureOf, wordsOn } from './pdf.ts';
export { eventually, isPutOff, patiently, together, until } from './patience.ts';
export { speaker } from './speaker.ts';
export { keysOf, sentTo, type Serving, start, type StartOptions } from './start.ts';
export { seclusion } from './visibility.ts';
export { stillClock } from './still-clock.ts';
