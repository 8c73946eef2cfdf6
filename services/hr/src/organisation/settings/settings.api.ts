/** HR settings: rules for attendance, leave, payroll and retention. */
import { can, ok } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { changeSettings, showSettings } from './settings.ts';
import { HrmSettings, HrmSettingsChanges } from './settings.schema.ts';
import { settingsActions } from './settings.rules.ts';

const ADDITION = 'Each workspace configures dual approval, the salary divisor and the places for clocking in.';

export const show = query('GET /api/hrm-settings', {
  summary: 'Get the HR settings',
  description:
    'Returns the rules for attendance, leave, payroll and retention of records. New workspaces have default values.',
  addition: ADDITION,
  access: can('hr_setting.view'),
  reply: ok(HrmSettings),
  handle: ({ db }) => showSettings(db),
});

export const update = command('POST /api/hrm-settings/update', {
  summary: 'Update the HR settings',
  description:
    'Updates the rules for attendance, leave, payroll and retention. Changes apply from now on. Calculated days and payslips keep the previous rules.',
  addition: ADDITION,
  access: settingsActions.can('update'),
  body: HrmSettingsChanges,
  reply: ok(HrmSettings),
  handle: ({ db, body, expect, caller: { currency } }) => changeSettings(db, body, { expect, currency }),
});
