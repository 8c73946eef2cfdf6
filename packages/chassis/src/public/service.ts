/** The service itself: its declaration, consumers and schedules. */
export { consumers } from '../messaging/consume.ts';
export { runDueWork, isNotPostponed } from '../schedules/due-work.ts';
export { declareSchedule, findEverywhere, jobTransaction, rotateByWorkspace } from '../schedules/schedule.ts';
export { recordTypes, type RecordType } from '../history/record-type.ts';
export { service, type DeclaredStep, type Service, type JobContext } from '../service.ts';
export { run } from '../start.ts';
