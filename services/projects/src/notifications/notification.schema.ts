import { choice, input, version } from '@suite/chassis';
import { z } from 'zod';

const When = choice('at_once', 'daily', 'none');
export const KINDS = ['assignment', 'mention', 'comment', 'due'] as const;
export type NotificationKind = (typeof KINDS)[number];
export type When = z.output<typeof When>;

const fields = {
  assignment: When.describe('When you are assigned to a task or a bug.'),
  mention: When.describe('When you are mentioned in a comment or a description.'),
  comment: When.describe('When a comment is added to an item that you watch.'),
  due: When.describe('When the day begins on which something that you work on is due.'),
};

/** How somebody is told of things by mail: at once, once a day at 07:00 in their zone, or never. */
export const NotificationSettings = z
  .object({ ...fields, version: z.int() })
  .meta({ id: 'ProjectNotificationSettings' });
export const NotificationChanges = input({ ...z.object(fields).partial().shape, version });
export type NotificationChanges = z.output<typeof NotificationChanges>;
