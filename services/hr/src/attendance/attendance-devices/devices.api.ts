/** Attendance devices push punches with their own secret token. */
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, openByLinkOf, page, removed } from '@suite/chassis/operations';
import { lookUpWorkspace } from '@suite/user-copies';
import { LogImport } from '../attendance-import/attendance-import.api.ts';
import { importDeviceLog } from '../attendance-import/log-import.ts';
import { command, query } from '../../operations.ts';
import { changeDevice, createDevice, openDevice, removeDevice } from './device.ts';
import {
  AttendanceDevice,
  DeviceChanges,
  DeviceFilter,
  DeviceInput,
  DevicePush,
  DeviceToken,
  DeviceWithToken,
} from './device.schema.ts';
import { deviceActions } from './device.rules.ts';

const ADDITION = 'Employees clock in at devices, whose logs arrive as files, or are pushed to an unguessable address.';

export const list = query('GET /api/attendance-devices', {
  summary: 'List attendance devices',
  description: 'Returns registered devices with time zone and status. Tokens are not shown again.',
  addition: ADDITION,
  access: can('hr_setting.view'),
  query: DeviceFilter,
  reply: page(AttendanceDevice),
  handle: ({ db, query }) => paginate(db, query, { table: 'attendance_devices' }),
});

export const create = command('POST /api/attendance-device/create', {
  summary: 'Register an attendance device',
  description: 'Registers a device and returns its token once. The device sends punches with this token.',
  addition: ADDITION,
  access: can('hr_setting.update'),
  body: DeviceInput,
  reply: created(DeviceWithToken),
  handle: ({ db, caller, body }) => createDevice(db, caller, body),
});

export const update = command('POST /api/attendance-device/update/{id}', {
  summary: 'Update an attendance device',
  description: 'Updates a device. The token of an inactive device is rejected.',
  addition: ADDITION,
  access: deviceActions.can('update'),
  params: { id: idOf('attendance_devices') },
  body: DeviceChanges,
  reply: ok(AttendanceDevice),
  handle: ({ db, params, body, expect }) => changeDevice(db, params.id, body, expect),
});

export const remove = command('DELETE /api/attendance-device/delete/{id}', {
  summary: 'Delete an attendance device',
  description: 'Deletes a device: its token stops working immediately. Recorded punches remain.',
  addition: ADDITION,
  access: deviceActions.can('delete'),
  params: { id: idOf('attendance_devices') },
  reply: removed,
  handle: ({ db, params }) => removeDevice(db, params.id),
});

export const push = command('POST /api/attendance/device/{device_token}', {
  summary: 'Push an attendance log',
  description:
    'Receives punches from a device. Repeated rows count once. Rows are sorted by time, among existing punches as well. Rows older than 7 days fail with `too_old`. Import them as a user instead.',
  addition: ADDITION,
  access: openByLinkOf(lookUpWorkspace, 'device_token'),
  params: { device_token: DeviceToken },
  body: DevicePush,
  reply: ok(LogImport),
  async handle({ params, body, ...context }) {
    const { id, timezone } = await openDevice(context.db, context.caller, params.device_token);
    const rows = body.rows.map(({ type = '', ...row }, at) => ({ ...row, type, line: at + 1, device_id: id }));
    return await importDeviceLog(context, { lines: rows, zone: timezone, by: null });
  },
});
