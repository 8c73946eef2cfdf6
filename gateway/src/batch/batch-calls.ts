/**
 * Checks of the calls of a batch before the first one is sent. Chosen: an invalid call, such as an unknown path, rejects
 * the whole batch, because it is an error of the program that sends the batch. Nothing is then half done.
 */
import { Fault, invalid } from '@suite/chassis/gateway';
import { OWN, type Operation, type Routing } from '../request/routing.ts';
import { pathOfTarget } from '../request/request-validation.ts';
import {
  DuplicateCallId,
  faultAt,
  InvalidReference,
  NestedBatch,
  NotInBatch,
  UnknownOperation,
} from './batch-faults.ts';
import type { Call } from './batch.schema.ts';
import { visitReferences, withPlaceholders } from './references.ts';

/** Call with its ID, which defaults to its position. */
export type NamedCall = Call & { id: string };

/** Routing that may suggest other operations. The search for a suggestion is expensive. */
type CallRouting = Pick<Routing, 'find'> & Partial<Pick<Routing, 'suggest'>>;

/** Returns the operation of a call. @throws a 422 that names the field */
function operationOf(routing: CallRouting, { method, path }: Pick<Call, 'method' | 'path'>, field: string): Operation {
  let bare = '';
  try {
    bare = pathOfTarget(path);
    return routing.find(method, bare);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.status === 400) {
      throw invalid(
        field,
        'Correct this path: no fragment, double slash, dot segment, or more than 100 parameters or 4,096 characters.',
      );
    }
    const did_you_mean = routing.suggest?.(method, bare);
    const { message } = error;
    throw faultAt(UnknownOperation, field, { message, ...(did_you_mean && { details: { did_you_mean } }) });
  }
}

/**
 * Checks that a call can be part of a batch. Chosen: every call uses the credential of the batch. Public operations,
 * such as the login, and operations of white-label instances use other credentials, so they are excluded.
 * @throws a 422 that names the field
 */
export function assertCallable(routing: CallRouting, call: Pick<Call, 'method' | 'path'>, field: string): void {
  const { service, access } = operationOf(routing, call, field);
  if (access === 'public' || access === 'instance') throw faultAt(NotInBatch, field);
  // The batch is the only operation of the gateway that is not public.
  if (service === OWN) throw faultAt(NestedBatch, field);
}

/** Checks a call, except for its values that only earlier responses contain. */
function checkCall(routing: Routing, call: NamedCall, place: string, earlier: ReadonlySet<string>): void {
  visitReferences({ path: call.path, body: call.body }, place, ({ id }, field) => {
    if (earlier.has(id)) return;
    const message = `There is no earlier call "${id}". Refer to a call before this one.`;
    throw faultAt(InvalidReference, field, { message, details: { call: id } });
  });
  assertCallable(routing, { method: call.method, path: withPlaceholders(call.path) }, `${place}.path`);
  if (call.method === 'GET' && call.body !== undefined)
    throw invalid(`${place}.body`, 'A GET call has no body. Remove it.');
}

/**
 * Checks all calls of a batch.
 * @returns the calls with their IDs
 * @throws a 422 that names the field of the first invalid call
 */
export function checkCalls(routing: Routing, calls: readonly Call[]): NamedCall[] {
  const earlier = new Set<string>();
  return calls.map((call, at) => {
    const named = { ...call, id: call.id ?? String(at + 1) };
    const place = `calls.${at}`;
    if (earlier.has(named.id)) {
      const message = `Another call has the ID "${named.id}". Choose a different ID.`;
      throw faultAt(DuplicateCallId, `${place}.id`, { message });
    }
    checkCall(routing, named, place, earlier);
    earlier.add(named.id);
    return named;
  });
}
