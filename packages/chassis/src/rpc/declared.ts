/** Checks that methods throw only declared faults. */
import { Fault, isDeclared } from '../runtime/fault.ts';
import type { ServedRpc } from './rpc.ts';

/** Returns the failure of a method. In tests, an undeclared fault becomes a bug. */
export function withoutUndeclaredFields(services: readonly ServedRpc[], path: string, error: unknown): unknown {
  const { declared = {} } = services.find(({ definition }) => path.startsWith(`/${definition.fullName}/`)) ?? {};
  const method = Object.values(declared).find(({ name }) => path.endsWith(`/${name}`));
  if (!method || !(error instanceof Fault) || error.status >= 503) return error;
  return isDeclared(error, method.faults)
    ? error
    : new Error(`The method ${method.name} throws "${error.code}" and does not declare it.`);
}
