/** Consumers of a service's capacity: a request counts for several. */
import { workspaceInToken } from '@suite/chassis/gateway';
import type { RequestContext } from '../request/request-context.ts';
import { bearerOf } from './headers.ts';
import type { CapacityConsumer } from '../limits/fair-share.ts';

/** Returns the token in a JSON body. A public form and a link in an e-mail send their token there. */
function tokenOf(body: Buffer | undefined): string | undefined {
  if (!body) return undefined;
  try {
    const { token } = JSON.parse(body.toString()) as { token?: unknown };
    return typeof token === 'string' ? token : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the workspace that a public request names, or else its token. Nothing has checked the token yet.
 * @param authorization the header of a public operation that has its own tokens
 */
function targetOf({ operation, path, body }: RequestContext, authorization: string | undefined): string | undefined {
  const at = operation?.path.split('/').findIndex((segment) => segment.startsWith('{')) ?? -1;
  const token = operation?.bearer ? bearerOf(authorization) : path.split('/')[at];
  const named = token ?? tokenOf(body);
  return named === undefined ? undefined : (workspaceInToken(named) ?? named);
}

/**
 * Returns the consumers that a request counts for. All requests without a session share the part of one workspace: each
 * operation at most half of the capacity, and each workspace or token at most a third, so that a flood of one public form leaves
 * capacity for all other forms and links. An address has a higher weight than a workspace, because many workspaces can share it.
 */
export function consumersOf(context: RequestContext, authorization: string | undefined): CapacityConsumer[] {
  const { session, address, operation } = context;
  const client = { name: `address ${address}`, weight: 8 };
  if (session) {
    const { user_id, workspace_id } = session.caller;
    return [{ name: `caller ${user_id}`, weight: 1 }, { name: `workspace ${workspace_id}`, weight: 2 }, client];
  }
  const target = targetOf(context, authorization);
  return [
    { name: `caller ${address}`, weight: 1 },
    { name: 'public', weight: 2 },
    { name: `operation ${operation?.name}`, weight: 1 },
    ...(target === undefined ? [] : [{ name: `target ${target}`, weight: 0.5 }]),
    client,
  ];
}
