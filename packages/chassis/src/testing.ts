/** Public exports of the chassis for tests: the parts of a service, to start it within a test process. */
export { requestsUrl } from './runtime/config.ts';
export { openScan } from './files/file-scan.ts';
export { type Keys, makeKeys } from './identity/identity.ts';
export { openLog } from './runtime/log.ts';
export type { Method } from './rpc/method.ts';
export { connectRpc, type ServedRpc, startRpcServer } from './rpc/rpc.ts';
export { parse } from './http/parse.ts';
export { operationsOf, type Service } from './service.ts';
export { type RunningService, startService } from './start.ts';
export { countEarlierFiles } from './schedules/storage-report.ts';
