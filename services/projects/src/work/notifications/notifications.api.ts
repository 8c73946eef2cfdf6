/** Your own notification settings for projects. */
import { can, ok } from '@suite/chassis/operations';
import { inProjects } from '../../operations.ts';
import { changeOwnSettings, ownSettings } from './notification-settings.ts';
import { NotificationChanges, NotificationSettings } from './notification.schema.ts';

const ADDITION = 'Users choose their notifications.';

const { query, command } = inProjects;

export const showSettings = query('GET /api/project/notification-settings', {
  summary: 'Get your project notification settings',
  description:
    'Returns when you are notified of assignments, mentions, comments and due dates. New users have default settings.',
  addition: ADDITION,
  access: can('project.view'),
  reply: ok(NotificationSettings),
  handle: ({ db, caller }) => ownSettings(db, caller.user_id),
});

export const updateSettings = command('POST /api/project/notification-settings', {
  summary: 'Update your project notification settings',
  description:
    'Updates your own settings. Daily notifications arrive in one e-mail at 07:00 in your time zone. No e-mail is sent if there are no notifications.',
  addition: ADDITION,
  access: can('project.view'),
  body: NotificationChanges,
  reply: ok(NotificationSettings),
  handle: ({ db, caller, body, expect }) => changeOwnSettings(db, caller, body, expect),
});
