import { beforeEach, describe, expect, test } from '@jest/globals';
import { freezeClock, runConcurrently } from '@suite/testing';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';
import { readLog, timeOf } from './log.rules.ts';

const { serving, platform, company } = await openHr();
let acme: TestWorkspace;
let id: string;
beforeEach(async () => {
  acme = await company();
  id = await acme.employ({ code: 'EMP-00001' });
});

const importLines = (lines: string[], query = '', header = 'employee_code,at,type,device_id') => {
  const form = new FormData();
  form.set('file', new Blob([[header, ...lines, ''].join('\n')], { type: 'text/csv' }), 'log.csv');
  return acme.owner.upload(`/api/attendance/import${query}`, form);
};
const days = () => serving.sql`
  SELECT local_date::text, worked_minutes, status FROM attendances WHERE employee_id = ${id} ORDER BY local_date`;

describe('a log', () => {
  const lines = [
    'EMP-00001,2026-06-10T09:00:00+02:00,in,gate',
    'EMP-00001,2026-06-10T17:30:00+02:00,out,gate',
    'EMP-00001,2026-06-11 09:00:00,,gate',
    'EMP-00001,2026-06-11 17:00:00,,gate',
  ];

  test('is imported once, in any order and for any number of requests', async () => {
    expect(await importLines(lines.toReversed())).toMatchObject({
      status: 200,
      body: { data: { created: 4, skipped: 0, failed: [] } },
    });
    expect((await importLines(lines)).body.data).toEqual({ created: 0, skipped: 4, failed: [] });
    await runConcurrently(3, () => importLines(lines));
    expect(await days()).toMatchObject([
      { local_date: '2026-06-10', worked_minutes: 480 },
      { local_date: '2026-06-11', worked_minutes: 450 },
    ]);
  });

  test('stores nothing in a dry run', async () => {
    expect((await importLines(lines, '?dry_run=true')).body.data).toMatchObject({ created: 4 });
    expect(await days()).toEqual([]);
  });

  test('reports invalid lines and imports the others', async () => {
    const { body } = await importLines([
      lines[0]!,
      'NOBODY,2026-06-10T09:00:00+02:00,in,gate',
      'EMP-00001,tomorrow,in,gate',
      'EMP-00001,2026-03-29T02:30:00,in,gate',
      'EMP-00001,2026-06-10T12:00:00+02:00,nap,gate',
      'EMP-00001,2026-06-10T12:00:00+02:00,out,',
      'EMP-00001,2999-06-10T12:00:00+02:00,in,gate',
      lines[1]!,
    ]);
    expect(body.data).toEqual({
      created: 2,
      skipped: 0,
      failed: [
        { line: 3, code: 'unknown_employee' },
        { line: 4, code: 'unreadable_time' },
        { line: 5, code: 'no_such_time' },
        { line: 6, code: 'unknown_type' },
        { line: 7, code: 'no_device' },
        { line: 8, code: 'in_the_future' },
      ],
    });
    expect(await days()).toMatchObject([{ worked_minutes: 480 }]);
  });

  test('is rejected if its columns are wrong', async () => {
    expect(await importLines(lines, '', 'code,at,type,device_id')).toMatchObject({
      status: 422,
      body: { code: 'unreadable_log' },
    });
    expect(await importLines(['a,b'], '')).toMatchObject({ status: 422, body: { code: 'unreadable_log' } });
    expect(await importLines(lines, '?device_zone=Nowhere')).toMatchObject({
      status: 422,
      body: { errors: { device_zone: [expect.any(String)] } },
    });
  });
});

test('reads a time without offset in the device zone, later if ambiguous and in order', () => {
  const timestampOf = (text: string) => Date.parse(text);
  const zone = 'Europe/Berlin';
  expect(timeOf('2026-10-25T02:30', zone, undefined)).toBe(timestampOf('2026-10-25T00:30Z'));
  expect(timeOf('2026-10-25T02:30', zone, timestampOf('2026-10-25T00:45Z'))).toBe(timestampOf('2026-10-25T01:30Z'));
  expect(timeOf('2026-03-29T02:30', zone, undefined)).toBe('no_such_time');
  expect(timeOf('2026-10-25T02:30:15+01:00', zone, undefined)).toBe(timestampOf('2026-10-25T01:30:15Z'));
  expect(timeOf('2026-02-30T02:30', zone, undefined)).toBe('no_such_time');
});

test('distinguishes an unreadable time from a time that does not exist', () => {
  for (const text of ['23.07.2026 09:00', '2026-07-23 9:00', '2026-07-23', 'tomorrow', '', '1785000000'])
    expect([text, timeOf(text, 'Europe/Berlin', undefined)]).toEqual([text, 'unreadable_time']);
  for (const text of ['2026-03-29T02:30', '2026-02-30T09:00', '2026-07-23T25:00', '2026-13-01T09:00'])
    expect([text, timeOf(text, 'Europe/Berlin', undefined)]).toEqual([text, 'no_such_time']);
});

test('accepts log columns in any order and rejects unknown columns', () => {
  expect(readLog('\uFEFFdevice_id,at,employee_code\ngate,2026-06-10T09:00Z,"E,1"\n')).toEqual([
    { line: 2, employee_code: 'E,1', at: '2026-06-10T09:00Z', type: '', device_id: 'gate' },
  ]);
  for (const text of ['', 'employee_code,at\nE,1\n', 'employee_code,at,device_id,pin\nE,a,b,c\n', '"'])
    expect(() => readLog(text)).toThrow(expect.objectContaining({ code: 'unreadable_log' }));
});

describe('an attendance device', () => {
  const rows = [
    { employee_code: 'EMP-00001', at: '2026-06-10T09:00:00' },
    { employee_code: 'EMP-00001', at: '2026-06-10T17:30:00' },
  ];
  const registerDevice = async () =>
    (await acme.owner.post('/api/attendance-device/create', { name: 'Gate' })).body.data;
  const pushRows = (token: string) => acme.member({ can: [] }).post(`/api/attendance/device/${token}`, { rows });

  test('pushes its log with a token that is shown only once', async () => {
    freezeClock('2026-06-11T07:00:00Z');
    const { id: device_id, token, token_hint } = await registerDevice();
    expect(token).toMatch(/^[\w-]{22}\.[\w-]{43}$/);
    expect(token.split('.')[1].startsWith(token_hint)).toBe(true);
    expect((await pushRows(token)).body.data).toEqual({ created: 2, skipped: 0, failed: [] });
    expect((await pushRows(token)).body.data).toEqual({ created: 0, skipped: 2, failed: [] });
    expect(await days()).toMatchObject([{ worked_minutes: 480, status: 'present' }]);
    const listed = (await acme.owner.get('/api/attendance-devices')).body.data;
    expect(listed).toMatchObject([{ id: device_id, name: 'Gate', last_push_at: '2026-06-11T07:00:00.000Z' }]);
    const logged = await serving.sql`SELECT after FROM journal_changes WHERE record_id = ${device_id}`;
    expect(JSON.stringify([listed, logged])).not.toContain(token.split('.')[1]);
  });

  test.each([{ active: false }, { modules: ['crm'] }])('gets 404 for a workspace with %j', async (state) => {
    const { token } = await registerDevice();
    platform.workspaces.set(acme.workspace, state);
    expect((await pushRows(token)).status).toBe(404);
    platform.workspaces.delete(acme.workspace);
    expect((await pushRows(token)).status).toBe(200);
  });

  test('is rejected for punches older than a week', async () => {
    freezeClock('2026-06-17T12:00:00Z');
    const { token } = await registerDevice();
    expect((await pushRows(token)).body.data).toEqual({
      created: 1,
      skipped: 0,
      failed: [{ line: 1, code: 'too_old' }],
    });
    expect(await days()).toMatchObject([{ local_date: '2026-06-10', worked_minutes: 0 }]);
    expect(await importLines(['EMP-00001,2026-06-10T09:00:00,,gate'])).toMatchObject({
      body: { data: { created: 1 } },
    });
    expect(await days()).toMatchObject([{ local_date: '2026-06-10', worked_minutes: 480 }]);
  });

  test('cannot push if it is unknown, inactive or deleted', async () => {
    const { id: device_id, token } = await registerDevice();
    expect(await pushRows(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toMatchObject({ status: 404 });
    await acme.owner.post(`/api/attendance-device/update/${device_id}`, { active: false });
    expect(await pushRows(token)).toMatchObject({ status: 404 });
    await acme.owner.delete(`/api/attendance-device/delete/${device_id}`);
    expect(await pushRows(token)).toMatchObject({ status: 404 });
    expect(await days()).toEqual([]);
  });
});
