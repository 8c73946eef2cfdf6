/** The front door of the chassis for the gateway: keys, log, bus, calls, health; nothing of databases or operations. */
export { isApiKey, newApiKey } from './api-key.ts';
export { type Bus, connectBus } from './bus.ts';
export { clock } from './clock.ts';
export { processSettings, readSettings } from './config.ts';
export {
  Fault,
  type FaultMaker,
  fault,
  Internal,
  NotFound,
  PayloadTooLarge,
  TooManyRequests,
  Unauthenticated,
  Unavailable,
} from './fault.ts';
export { faultBody } from './idempotency.ts';
export { type Caller, type Keys, loadKeys, makeKeys } from './identity.ts';
export { type Log, openLog } from './log.ts';
export { type Metrics, openMetrics } from './metrics.ts';
export { serveOperationsPort } from './operations-port.ts';
export { connectRpc, type Rpc, serveRpc, startRpcServer } from './rpc.ts';
export { endWith } from './end.ts';
export { settle } from './settle.ts';
