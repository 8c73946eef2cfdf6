import { Currency, Email, Id, input, secret, ShortText, Timestamp, Zone } from '@suite/chassis/fields';
import { z } from 'zod';
import { TimeSettings } from '../time-settings/time-settings.schema.ts';
import { TimeEntry } from '../time/time-entry.schema.ts';

/** Request of a sign-in, with a name for the device. */
export const TrackerLogin = input({
  email: Email,
  password: z.string().min(1).max(1_000),
  workspace: z.string().min(1).max(200).optional().describe('Short name of the workspace.'),
  device: ShortText(100).min(1).optional().describe('Name of the device in the list of sessions.'),
  device_token: z.string().min(1).max(200).optional(),
});

const TrackedTask = z.object({ id: Id, key: z.string(), title: z.string() });

const TrackedProject = z.object({
  id: Id,
  code: z.string(),
  name: z.string(),
  billable: z.boolean(),
  tasks: z.array(TrackedTask).describe('Open tasks assigned to you or to no user, your own first. At most 200.'),
});

/** Initial choices and state of a tracker. */
export const TrackerHome = z
  .object({
    server_time: Timestamp,
    projects: z.array(TrackedProject).describe('Open projects in which you can track time, by name. At most 200.'),
    running: TimeEntry.nullable(),
    settings: TimeSettings.pick({
      late_time: true,
      on_second_start: true,
      auto_stop_hours: true,
      max_offline_days: true,
      min_seconds: true,
      rounding: true,
      closed_through: true,
    }),
  })
  .meta({ id: 'TrackerHome' });

/** Tokens of a tracker session, with its user and the projects for time tracking. */
export const TrackerSignedIn = TrackerHome.extend({
  access_token: secret(z.string()),
  token_type: z.literal('Bearer'),
  expires_in: z.int().describe('Lifetime of the token, in seconds.'),
  refresh_token: secret(z.string()),
  refresh_expires_in: z.int().describe('Lifetime of the refresh token, in seconds.'),
  device_token: secret(z.string()).describe('Token that identifies the device at the next sign-in.'),
  user: z.object({ id: Id, name: z.string(), email: z.string(), timezone: Zone }),
  workspace: z.object({
    id: Id,
    name: z.string(),
    base_currency: Currency,
    week_start: z.int().describe('First day of the week, from 1 (Monday) to 7 (Sunday).'),
  }),
}).meta({ id: 'TrackerSignedIn' });

export type TrackerLogin = z.output<typeof TrackerLogin>;
