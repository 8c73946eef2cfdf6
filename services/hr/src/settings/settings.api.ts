/** Settings: the choices of a workspace about how its people are clocked, granted leave, paid and remembered. */
import { can, ok } from '@suite/chassis';
import { command, query } from '../operations.ts';
import { changeSettings, showSettings } from './settings.ts';
import { HrmSettings, HrmSettingsChanges } from './settings.schema.ts';

export const show = query('GET /api/hrm-settings', {
  summary: 'Get the HR settings',
  access: can('hr_setting.view'),
  reply: ok(HrmSettings),
  handle: ({ db }) => showSettings(db),
});

export const update = command('POST /api/hrm-settings/update', {
  summary: 'Update the HR settings',
  description:
    'They hold for what happens from now on: a day that was counted, or a payslip that was made, keeps those it was made by.',
  access: can('hr_setting.update'),
  body: HrmSettingsChanges,
  reply: ok(HrmSettings),
  handle: ({ db, body, expect, caller: { currency } }) => changeSettings(db, body, { expect, currency }),
});
