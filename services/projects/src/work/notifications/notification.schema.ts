import { choice, input, version } from '@suite/chassis/fields';
import { z } from 'zod';

const MailTiming = choice('at_once', 'daily', 'none');
export const KINDS = ['assignment', 'mention', 'comment', 'due'] as const;
export type NotificationKind = (typeof KINDS)[number];
export type MailTiming = z.output<typeof MailTiming>;

const fields = {
  assignment: MailTiming.describe('Notification when you are assigned to a task or a bug.'),
  mention: MailTiming.describe('Notification when you are mentioned in a comment or a description.'),
  comment: MailTiming.describe('Notification when a comment is added to an item that you watch.'),
  due: MailTiming.describe('Notification when an item that you work on is due on that day.'),
};

/** Delivery of a user's e-mail notifications: immediately, once a day at 07:00 in their time zone, or never. */
export const NotificationSettings = z
  .object({ ...fields, version: z.int() })
  .meta({ id: 'ProjectNotificationSettings' });
export const NotificationChanges = input({ ...z.object(fields).partial().shape, version });
export type NotificationChanges = z.output<typeof NotificationChanges>;
