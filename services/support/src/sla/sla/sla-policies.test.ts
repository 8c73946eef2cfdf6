import { beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { type Office, openSupport } from '../../../test/fixture.ts';

const { serving, office: openOffice, violations } = await openSupport();
let office: Office;
beforeEach(async () => {
  office = await openOffice();
});

const path = '/api/support-ticket';
const post = (call: string, body: object = {}) => office.owner.post(`${path}/${call}`, body);
const rows = async (noun: string) => (await office.owner.get(`${path}/${noun}`)).body.data;
const calendar = async () => (await rows('calendars'))[0];
const targets = { medium: { first_response_minutes: 120, resolution_minutes: 960 } };
const policy = async (body: object = {}) =>
  post('sla-policy/store', { name: 'Gold', calendar_id: (await calendar()).id, targets, ...body });
const inOrder = async () =>
  (await rows('sla-policies')).map(({ position, name }: { position: number; name: string }) => `${position} ${name}`);

test('a new workspace has office hours and a policy', async () => {
  expect(await rows('calendars')).toMatchObject([
    { name: 'Office hours', timezone: 'Europe/Berlin', hours: { 1: [['09:00', '17:00']] }, holidays: [] },
  ]);
  expect(await rows('sla-policies')).toMatchObject([
    {
      name: 'Standard',
      conditions: {},
      targets: { urgent: { first_response_minutes: 60, resolution_minutes: 480 } },
      pause_in: ['pending', 'on_hold'],
      warn_percent: 80,
    },
  ]);
});

describe('a calendar', () => {
  const hours = {
    7: [
      ['22:00', '24:00'],
      ['00:00', '06:00'],
    ],
  };
  const create = (body: object = {}) =>
    post('calendar/store', { name: 'Nights', timezone: 'America/St_Johns', hours, ...body });

  test('can be created and updated, and deleted if no policy uses it', async () => {
    const { data } = (await create()).body;
    expect(data).toMatchObject({ name: 'Nights', hours, holidays: [], version: 1 });
    const holidays = [{ date: '2026-12-25', name: 'Christmas' }];
    expect((await post(`calendar/update/${data.id}`, { holidays, version: 1 })).body.data).toMatchObject({
      hours,
      holidays,
    });
    expect(await post(`calendar/update/${data.id}`, { holidays: [], version: 1 })).toMatchObject({ status: 412 });
    expect(await create({ name: 'nights' })).toMatchObject({ status: 409, body: { code: 'already_exists' } });
    expect(await post(`calendar/delete/${data.id}`)).toMatchObject({ status: 200 });
    expect(await post(`calendar/delete/${(await calendar()).id}`)).toMatchObject({
      status: 409,
      body: { code: 'in_use' },
    });
  });

  test.each([
    ['timezone', 'Mars/Olympus'],
    ['hours', {}],
    ['hours', { 1: [] }],
    ['hours', { 1: [['09:00', '08:00']] }],
    ['hours', { 1: [['09:00', '09:00']] }],
    [
      'hours',
      {
        1: [
          ['09:00', '12:00'],
          ['11:59', '13:00'],
        ],
      },
    ],
    ['hours', { 1: [['09:00', '25:00']] }],
    ['hours', { 1: [['09:00']] }],
    ['hours', { someday: [['09:00', '10:00']] }],
    ['holidays', [{ date: '2026-02-30', name: 'None' }]],
    ['holidays', ['Once', 'Twice'].map((name) => ({ date: '2026-12-25', name }))],
  ])('is rejected with %s = %j', async (field, value) => {
    const response = await create({ [field]: value });
    expect(response.status).toBe(422);
    expect(Object.keys(response.body.errors ?? {})[0]?.split('.')[0]).toBe(field);
  });
});

describe('a policy', () => {
  test('moves to the requested position, and the others shift', async () => {
    const { data } = (await policy({ position: 0 })).body;
    expect(await inOrder()).toEqual(['0 Gold', '1 Standard']);
    await post(`sla-policy/update/${data.id}`, { position: 1, conditions: { tags: ['vip'] }, version: data.version });
    expect(await inOrder()).toEqual(['0 Standard', '1 Gold']);
    await post(`sla-policy/delete/${(await rows('sla-policies'))[0].id}`);
    expect(await inOrder()).toEqual(['0 Gold']);
  });

  test('keeps a dense order during concurrent changes', async () => {
    const replies = await runConcurrently(20, (at) => policy({ name: `Policy ${at}`, position: at % 4 }));
    expect(sortedStatuses(replies)).toEqual(Array(20).fill(201));
    expect(await violations(office)).toEqual([]);
  });

  test.each([
    ['calendar_id', crypto.randomUUID()],
    ['targets', { medium: { first_response_minutes: 10, resolution_minutes: 9 } }],
    ['targets', { medium: { first_response_minutes: 0 } }],
    ['targets', { medium: { resolution_minutes: 525_601 } }],
    ['targets', { soon: {} }],
    ['conditions', { priority: ['soon'] }],
    ['conditions', { category_id: [crypto.randomUUID()] }],
    ['conditions', { colour: ['red'] }],
    ['pause_in', ['open']],
    ['pause_in', ['pending', 'pending']],
    ['warn_percent', 0],
    ['warn_percent', 101],
  ])('is rejected with %s = %j', async (field, value) => {
    const response = await policy({ [field]: value });
    expect(response.status).toBe(422);
    expect(Object.keys(response.body.errors ?? {})[0]?.split('.')[0]).toBe(field);
  });

  test('is rejected if its calendar takes more than ten years for a target', async () => {
    const stored = await post('calendar/store', {
      name: 'Rare',
      timezone: 'UTC',
      hours: { 1: [['00:00', '00:01']] },
    });
    const { id: calendar_id } = stored.body.data;
    const long = { low: { resolution_minutes: 5_000 } };
    const rejected = {
      status: 422,
      body: {
        code: 'target_out_of_reach',
        details: { priority: 'low', target: 'resolution_minutes', minutes: 5_000 },
      },
    };
    expect(await policy({ calendar_id, targets: long })).toMatchObject(rejected);
    const { id } = (await policy({ targets: long })).body.data;
    expect(await post(`sla-policy/update/${id}`, { calendar_id })).toMatchObject(rejected);
    const { id: office_hours } = await calendar();
    const change = { hours: { 1: [['00:00', '00:01']] } };
    expect(await post(`calendar/update/${office_hours}`, change)).toMatchObject(rejected);
    expect((await calendar()).hours).toMatchObject({ 5: [['09:00', '17:00']] });
    expect((await policy({ name: 'Short', calendar_id, targets: { low: { resolution_minutes: 60 } } })).status).toBe(
      201,
    );
  });

  test('stored with too little working time is not applied', async () => {
    const { id } = (await policy()).body.data;
    const hours = JSON.stringify({ 1: [['00:00', '00:01']] });
    await serving.admin.query('UPDATE calendars SET hours = $1 WHERE workspace_id = $2', [hours, office.workspace]);
    expect(await post(`sla-policy/apply/${id}`)).toMatchObject({ status: 422, body: { code: 'target_out_of_reach' } });
  });

  test('requires a permission', async () => {
    const agent = office.member({ can: ['ticket.view', 'ticket.update'] });
    expect((await agent.get(`${path}/sla-policies`)).status).toBe(403);
    expect((await agent.post(`${path}/calendar/store`, {})).status).toBe(403);
  });
});
