/** The service itself: its declaration, consumers and schedules. */
export { consumers } from '../messaging/consume.ts';
export { eachDue, notPostponed } from '../schedules/due-work.ts';
export { every, findEverywhere, scheduled, shareOut } from '../schedules/schedule.ts';
export { service, type Service, type Tools } from '../service.ts';
export { run } from '../start.ts';
