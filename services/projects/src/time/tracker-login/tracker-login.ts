/** Sign-in with a tracker. Platform checks the password and opens the session. Nothing is stored here. */
import { enterWorkspace } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import type { RequestMetadata } from '@suite/chassis/operations';
import type { IntrospectResponse, SignInToTrackResponse } from '@suite/proto/platform/v1/platform';
import type { Db, Rpc } from '../../operations.ts';
import type { TrackerLogin } from './tracker-login.schema.ts';
import { readTrackerHome } from './tracker-login.view.ts';

/** Opens a session through platform. @throws the faults of a sign-in */
export const signInThroughPlatform = (
  rpc: Pick<Rpc, 'platform'>,
  { device, workspace = '', device_token = '', ...credentials }: TrackerLogin,
  { address, user_agent }: RequestMetadata,
): Promise<SignInToTrackResponse> =>
  rpc.platform.signInToTrack({ ...credentials, workspace, device_token, address, user_agent: device ?? user_agent });

/** Returns the user as a caller, from platform's description. */
function callerOf({ user_kind, record_scopes, user_timezone, ...bearer }: IntrospectResponse): Caller {
  const { user_id, user_name, workspace_id, role, permissions, modules, timezone, currency, session_id } = bearer;
  const same = { user_id, user_name, workspace_id, role, permissions, modules, timezone, currency, session_id };
  const kind = user_kind as Caller['kind'];
  return {
    ...same,
    kind,
    record_scopes: record_scopes as Caller['record_scopes'],
    purpose: 'tracker',
    ...(user_timezone && { user_timezone }),
  };
}

/** Enters the workspace of the new session, and adds the projects for time tracking. */
export async function logInTracker(
  db: Db,
  { bearer, email, workspace_name, week_start, ...tokens }: SignInToTrackResponse,
) {
  const caller = callerOf(bearer!);
  const { user_id, user_name: name, workspace_id, currency, timezone, user_timezone } = caller;
  await enterWorkspace(workspace_id, user_id);
  return {
    ...tokens,
    token_type: 'Bearer' as const,
    user: { id: user_id, name, email, timezone: user_timezone ?? timezone },
    workspace: { id: workspace_id, name: workspace_name, base_currency: currency, week_start },
    ...(await readTrackerHome(db, caller)),
  };
}
