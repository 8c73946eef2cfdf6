/**
 * Direct calls to every replica of a service, as the gateway makes them. A load balancer may send a request to any
 * replica.
 */
import { join } from 'node:path';
import { type Caller, loadKeys } from '@suite/chassis/gateway';
import { type Member, memberOf } from '@suite/testing';
import type { SignedIn } from '@suite/testing/suite/http-caller';
import type { SharedSuite } from '@suite/testing/suite/started';

/** Returns the caller that the gateway would pass to a service. */
function callerOf({ user, access_token }: SignedIn): Caller {
  const claims = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string };
  const { role, permissions, record_scopes, modules, kind, workspace } = user as unknown as Caller & {
    role: { key: string };
    workspace: { id: string; timezone: string; base_currency: string };
  };
  return {
    user_id: user.id,
    user_name: user.name,
    kind,
    workspace_id: workspace.id,
    role: (role as { key: string }).key,
    permissions,
    record_scopes,
    modules,
    timezone: workspace.timezone,
    currency: workspace.base_currency,
    session_id: claims.sid,
  };
}

/** Returns a caller at each replica of a service. Without a user, the caller is not authenticated. */
export function atEachReplica(suite: SharedSuite, service: string, person?: SignedIn): Member[] {
  const gateway = loadKeys('gateway', join(suite.data, 'keys', 'gateway'));
  const caller = person ? callerOf(person) : null;
  return Object.values(suite.processes)
    .filter(({ name }) => name === service || name.startsWith(`${service}-`))
    .map(({ url }) => memberOf({ name: service, url: String(url), gateway }, caller));
}
