import { expect, test } from '@jest/globals';
import { openHr } from '../../../test/fixture.ts';
import { readSettings } from './settings.ts';

const { company } = await openHr();

test('returns the default settings of a new workspace and changes them', async () => {
  const { owner, write } = await company();
  expect((await owner.get('/api/hrm-settings')).body.data).toMatchObject({
    timezone: 'Europe/Berlin',
    four_eyes: true,
    retention_years: 10,
    ack_days: 14,
    approval_reminder_days: 3,
    show_birthdays: true,
    clock_on_leave: false,
    geofences: [],
    clock_addresses: [],
    working_days_basis: 'weekdays_less_holidays',
    overtime_pay: 'approved',
    overtime_factor: '1.5',
    entitlement_step: '0.5',
    recovery_max_percent: 100,
    arrears_months: 12,
    tax_year_start: '01-01',
    auto_draft: false,
    version: 1,
  });
  const choice = {
    geofences: [{ name: 'Quay', lat: 53.5, lng: 9.9, radius_m: 200 }],
    clock_addresses: ['203.0.113.0/24', '2001:db8::1'],
    overtime_factor: '1.25',
    four_eyes: false,
  };
  const changed = await owner.post('/api/hrm-settings/update', { ...choice, version: 1 });
  expect(changed).toMatchObject({ status: 200, body: { data: { ...choice, version: 2, ack_days: 14 } } });
  expect(await owner.post('/api/hrm-settings/update', { ack_days: 7, version: 1 })).toMatchObject({ status: 412 });
  expect(await write(readSettings)).toMatchObject({
    ...choice,
    overtime_factor: '1.250000',
    entitlement_step: '0.500000',
    timezone: 'Europe/Berlin',
  });
});

test.each([
  ['tax_year_start', '02-29'],
  ['tax_year_start', '13-01'],
  ['tax_year_start', '04-31'],
  ['overtime_factor', '-1'],
  ['entitlement_step', '0'],
  ['recovery_max_percent', 101],
  ['working_days_basis', 'moon'],
  ['clock_addresses', ['203.0.113.0/33']],
  ['clock_addresses', ['the office']],
  ['geofences', [{ name: 'Nowhere', lat: 91, lng: 0, radius_m: 100 }]],
  ['timezone', 'UTC'],
])('rejects a %s of %j', async (field, value) => {
  const { owner } = await company();
  const { status, body } = await owner.post('/api/hrm-settings/update', { [field]: value });
  expect([status, Object.keys(body.errors)[0]]).toEqual([422, expect.stringMatching(`^${field}`)]);
});

test('rejects changes to settings with read access only', async () => {
  const { member } = await company();
  const context = member({ can: ['hr_setting.view'] });
  expect(await context.get('/api/hrm-settings')).toMatchObject({ status: 200 });
  expect(await context.post('/api/hrm-settings/update', { ack_days: 7 })).toMatchObject({ status: 403 });
  expect(await member({ can: [] }).get('/api/hrm-settings')).toMatchObject({ status: 403 });
});
