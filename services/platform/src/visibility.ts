import {
  anyOf,
  allUsers,
  follows,
  isActor,
  ownRows,
  hidden,
  ownedBy,
  shared,
  staffAnd,
  staffOnly,
  visibility,
} from '@suite/chassis/visibility';

const visibleColleagues = anyOf("users.kind IN ('owner', 'staff')", isActor('id'));

/** Visibility of accounts and the workspace. */
export const visibilityRules = [
  staffAnd('users', { client: visibleColleagues, vendor: visibleColleagues }),
  visibility('api_keys', {
    noun: 'apikey',
    limited: ownedBy('user_id'),
    none: isActor('user_id'),
    client: isActor('user_id'),
    vendor: isActor('user_id'),
  }),
  ownRows('sessions', 'user_id'),
  ownRows('second_factors', 'id'),
  ownRows('sms_factors', 'id'),
  ownRows('recovery_codes', 'user_id'),
  ...allUsers('workspaces', 'roles', 'last_uses', 'entitlements', 'storage_uses'),
  ...shared('plans', 'prices', 'plan_settings'),
  visibility('subscriptions', { noun: 'subscription', limited: 'TRUE' }),
  ...staffOnly('user_log', 'teams', 'team_members', 'partners'),
  ...hidden('passwords', 'refresh_tokens', 'one_time_links', 'outgoing_mail', 'client_requests', 'login_allowances'),
  // White-label instances read their own rows through the policies that confine them. No other caller reads these
  // tables.
  ...hidden(
    'wl_instances',
    'wl_tokens',
    'wl_offers',
    'wl_prices',
    'checkout_sessions',
    'connect_accounts',
    'inbound_events',
    'event_fetches',
  ),
  ...hidden('trial_notices', 'change_feeds', 'feed_changes'),
  ...hidden('discarded_files', 'devices', 'account_requests', 'login_challenges', 'data_keys'),
  // A to-do list belongs to its user. Other integrations belong to the workspace.
  staffAnd('integrations', { staff: anyOf('integrations.user_id IS NULL', isActor('user_id')) }),
  follows('integration_health', { id: 'integrations' }),
  follows('todo_syncs', { id: 'integrations' }),
  follows('todo_items', { sync_id: 'todo_syncs' }),
  ...staffOnly('sms_messages', 'social_posts'),
  ...hidden('social_apps', 'social_authorizations', 'todo_removals'),
];
