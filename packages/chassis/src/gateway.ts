/**
 * Public exports of the chassis for the gateway: API keys, log, bus, calls, health and declarations. Excludes
 * databases.
 */
export { isApiKey, newApiKey } from './identity/api-key.ts';
export { type Bus, connectBus } from './bus/bus.ts';
export { clock } from './runtime/clock.ts';
export {
  address,
  deadline,
  HostAndPort,
  Port,
  processSettings,
  PublicUrl,
  readSettings,
  SECRET,
  settingsOf,
  wholeNumber,
} from './runtime/config.ts';
export {
  Fault,
  type FaultMaker,
  fault,
  MalformedRequest,
  TooManyParameters,
  Internal,
  invalid,
  NotFound,
  PayloadTooLarge,
  TooManyRequests,
  Unauthenticated,
  Unavailable,
  UnsupportedMediaType,
  WrongTokenClass,
} from './runtime/fault.ts';
export { errorResponse, faultBody } from './http/answer.ts';
export { parse, parseJson } from './http/parse.ts';
export { assertText, shownField } from './schema/text.ts';
export { wholePage } from './lists/page.ts';
export { type Caller, type Keys, loadKeys, makeKeys, verifyToken } from './identity/identity.ts';
export { workspaceInToken } from './identity/workspace-token.ts';
export { type Log, openLog } from './runtime/log.ts';
export { WakeSignal } from './runtime/wake-signal.ts';
export { type Metrics, openMetrics } from './runtime/metrics.ts';
export { serveOperationsPort } from './runtime/operations-port.ts';
export { connectRpc, type Rpc, serveRpc, startRpcServer } from './rpc/rpc.ts';
export { ok, type Operation, operations } from './operation/operation.ts';
export { anyCredential, open, withTrackers } from './operation/access.ts';
export { setPublicAddress } from './runtime/public-address.ts';
export { shutDownWith } from './runtime/shut-down.ts';
export { http, trimMemory } from './runtime/memory.ts';
export { watchEventLoop } from './watchdog/watchdog.ts';
