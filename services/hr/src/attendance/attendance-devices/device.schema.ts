import { input, Name, record, secret, ShortText, Timestamp, version, Zone } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { deviceActions } from './device.rules.ts';

/** Attendance device at which employees clock in and out. */
export const AttendanceDevice = record({
  name: z.string(),
  timezone: z.string().describe('IANA time zone of the device clock.'),
  active: z.boolean(),
  token_hint: z.string().describe('Four characters of the token, to distinguish tokens.'),
  last_push_at: Timestamp.nullable(),
  allowed_actions: Actions(deviceActions),
}).meta({ id: 'AttendanceDevice' });

/** Attendance device with its token, which is shown only once. */
export const DeviceWithToken = AttendanceDevice.extend({
  token: secret(z.string()).describe(
    'Token of the device: the last part of its push URL. Shown once: `null` if the request is repeated with the same `Idempotency-Key`.',
  ),
}).meta({ id: 'AttendanceDeviceWithToken' });

export const DeviceFilter = list(AttendanceDevice, {
  filter: ['name', 'active', 'created_at'],
  sort: ['name', 'created_at', 'updated_at'],
  search: true,
});

export const DeviceInput = input({
  name: Name,
  timezone: Zone.optional().describe('Defaults to the time zone of the workspace.'),
});
export const DeviceChanges = input({
  name: Name.optional(),
  timezone: Zone.optional(),
  active: z.boolean().optional(),
  version,
});

export const DeviceToken = z.string().max(200);
/** Rows of a device log. */
export const DevicePush = input({
  rows: z
    .array(
      z.strictObject({
        employee_code: ShortText(50).min(1),
        at: ShortText(40).min(1).describe('Time with an offset, or in the time zone of the device.'),
        type: z.enum(['in', 'out', 'break_start', 'break_end']).optional(),
      }),
    )
    .min(1)
    .max(500),
});

export type DeviceInput = z.output<typeof DeviceInput>;
export type DeviceChanges = z.output<typeof DeviceChanges>;
