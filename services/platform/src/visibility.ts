import { everybody, mine, nobody, shared, staffAnd, staffOnly, visibility } from '@suite/chassis';

const whoWorksHere = "users.kind IN ('owner', 'staff') OR users.id = actor";

/** Who may see what of accounts and the workspace. */
export const whoSeesWhat = [
  staffAnd('users', { client: whoWorksHere, vendor: whoWorksHere }),
  visibility('api_keys', {
    ...{ noun: 'apikey', limited: 'api_keys.user_id = ANY (people)' },
    ...{ client: 'api_keys.user_id = actor', vendor: 'api_keys.user_id = actor' },
  }),
  mine('sessions', 'sessions.user_id'),
  mine('second_factors', 'second_factors.id'),
  mine('recovery_codes', 'recovery_codes.user_id'),
  ...everybody('workspaces', 'roles', 'last_uses'),
  ...shared('plans'),
  ...staffOnly('user_log', 'teams', 'team_members'),
  ...nobody('passwords', 'refresh_tokens', 'one_time_links', 'outgoing_mail', 'client_requests', 'login_allowances'),
  ...nobody('discarded_files', 'devices', 'account_requests', 'login_challenges'),
];
