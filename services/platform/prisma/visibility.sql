-- Written by "npm run generate" from the declared visibility of the tables. Applied after the migrations, again when it changes.
SELECT suite_visible('users', $$CASE (SELECT suite_kind()) WHEN 'client' THEN users.kind IN ('owner', 'staff') OR users.id = (SELECT suite_actor_id()) WHEN 'vendor' THEN users.kind IN ('owner', 'staff') OR users.id = (SELECT suite_actor_id()) ELSE TRUE END$$);
SELECT suite_visible('api_keys', $$CASE (SELECT suite_reach('apikey')) WHEN 'all' THEN TRUE WHEN 'own' THEN api_keys.user_id = ANY ((SELECT suite_people('apikey'))::uuid[]) WHEN 'team' THEN api_keys.user_id = ANY ((SELECT suite_people('apikey'))::uuid[]) WHEN 'client' THEN api_keys.user_id = (SELECT suite_actor_id()) WHEN 'vendor' THEN api_keys.user_id = (SELECT suite_actor_id()) ELSE FALSE END$$);
SELECT suite_visible('sessions', $$sessions.user_id = (SELECT suite_actor_id())$$);
SELECT suite_visible('workspaces', $$TRUE$$);
SELECT suite_visible('roles', $$TRUE$$);
SELECT suite_visible('last_uses', $$TRUE$$);
GRANT SELECT ON plans TO suite_viewer;
SELECT suite_visible('user_log', $$(SELECT suite_is_staff())$$);
SELECT suite_visible_to_nobody('passwords');
SELECT suite_visible_to_nobody('refresh_tokens');
SELECT suite_visible_to_nobody('one_time_links');
SELECT suite_visible_to_nobody('outgoing_mail');
SELECT suite_visible_to_nobody('ensured_users');
SELECT suite_visible_to_nobody('login_allowances');
SELECT suite_visible_to_nobody('discarded_files');
SELECT suite_assert_visibility(ARRAY['users', 'api_keys', 'sessions', 'workspaces', 'roles', 'last_uses', 'plans', 'user_log', 'passwords', 'refresh_tokens', 'one_time_links', 'outgoing_mail', 'ensured_users', 'login_allowances', 'discarded_files']);
