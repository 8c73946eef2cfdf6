/** Time settings: timers, rounding, rates and locked periods. */
import { ok, anyStaff } from '@suite/chassis/operations';
import { fetchStaff } from '@suite/user-copies';
import { inTime } from '../../operations.ts';
import { changeTimeSettings, viewTimeSettings } from './time-settings.ts';
import { TimeSettings, TimeSettingsChanges } from './time-settings.schema.ts';

const ADDITION = 'Each workspace configures when timers stop, how time is rounded and which periods are closed.';

const { query, command } = inTime;

export const show = query('GET /api/time-settings', {
  summary: 'Get the time settings',
  description:
    'Returns the rules of time tracking, the locked period and the rates that you may see. All users can read the rules.',
  addition: ADDITION,
  access: anyStaff,
  reply: ok(TimeSettings),
  handle: ({ db, caller }) => viewTimeSettings(db, caller),
});

export const update = command('POST /api/time-settings/update', {
  summary: 'Update the time settings',
  description:
    'Updates the rules of time tracking and user rates. Requires `workspace.update`. `locked_through` requires `time.approve`.',
  addition: ADDITION,
  access: anyStaff,
  body: TimeSettingsChanges,
  reply: ok(TimeSettings),
  prepare: ({ rpc, body }) => fetchStaff(rpc, { user_rates: body.user_rates?.map(({ user_id }) => user_id) }),
  handle: ({ body, expect, prepared: people, ...context }) => changeTimeSettings(context, body, { expect, people }),
});
