import {
  anyOf,
  everybody,
  isActor,
  mine,
  nobody,
  ownedBy,
  shared,
  staffAnd,
  staffOnly,
  visibility,
} from '@suite/chassis';

const whoWorksHere = anyOf("users.kind IN ('owner', 'staff')", isActor('id'));

/** Visibility of accounts and the workspace. */
export const whoSeesWhat = [
  staffAnd('users', { client: whoWorksHere, vendor: whoWorksHere }),
  visibility('api_keys', {
    noun: 'apikey',
    limited: ownedBy('user_id'),
    client: isActor('user_id'),
    vendor: isActor('user_id'),
  }),
  mine('sessions', 'user_id'),
  mine('second_factors', 'id'),
  mine('recovery_codes', 'user_id'),
  ...everybody('workspaces', 'roles', 'last_uses'),
  ...shared('plans'),
  ...staffOnly('user_log', 'teams', 'team_members'),
  ...nobody('passwords', 'refresh_tokens', 'one_time_links', 'outgoing_mail', 'client_requests', 'login_allowances'),
  ...nobody('discarded_files', 'devices', 'account_requests', 'login_challenges'),
];
