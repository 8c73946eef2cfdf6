/** Dry runs: they reject each request that the operation itself rejects, in the same way. */
import type { Reply } from '@suite/testing/http';
import type { ApiOperation } from '../suite/api-document.ts';
import type { StrangeRequest } from './strange-text.ts';

/** Checks if an operation has a dry run. */
export const hasDryRun = ({ query }: ApiOperation): boolean => query.some(({ name }) => name === 'dry_run');

/**
 * Returns the same request as a dry run. Undefined if the operation has none, or if the request already has a query.
 */
export const asDryRun = (operation: ApiOperation, request: StrangeRequest): StrangeRequest | undefined =>
  hasDryRun(operation) && !request.path.includes('?')
    ? { ...request, path: `${request.path}?dry_run=true` }
    : undefined;

/** Returns the parts of a rejection that clients act on. */
const rejection = ({ status, body }: Reply): string =>
  JSON.stringify([status, body?.code, Object.keys(body?.errors ?? {}).toSorted()]);

/** @returns the violation of a dry run that differs from the rejection that followed */
export function findDryRunDifference({ id }: ApiOperation, { about, body }: StrangeRequest, dry: Reply, real: Reply) {
  if (real.status < 400 || rejection(dry) === rejection(real)) return undefined;
  return `${id}: ${about}: ${body?.slice(0, 300)}\n  the dry run returns ${rejection(dry)}, the operation ${rejection(real)}`;
}
