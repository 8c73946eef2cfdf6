import { describe, expect, test } from '@jest/globals';
import { sortedStatuses } from '@suite/testing';
import { CALENDAR, PASSWORD_THERE } from '../../../test/caldav-server.ts';
import { contentsOf } from '../../../test/contents.ts';
import { pathOf, toDoList } from '../../../test/to-do-list.ts';

const { platform, server, tasks, state, connect, show, sync, syncNow, remove } = await toDoList();
const test_ = (by = state.staff) => by.post('/api/todolist/test');
const disconnect = (body: object = {}, by = state.staff) => by.post('/api/todolist/disconnect', body);
const connectionFailed = { status: 422, body: { code: 'connection_failed' } };

describe('a to-do list', () => {
  test('is found on its server, separately for each user', async () => {
    expect(await show()).toMatchObject({ status: 'not_configured', settings: null, allowed_actions: ['connect'] });
    expect(await connect()).toMatchObject({
      status: 200,
      body: {
        data: {
          scope: 'user',
          status: 'connected',
          settings: {
            username: 'kim',
            password: '••••-kim',
            calendar_url: server.url + CALENDAR,
            calendar_name: 'tasks',
            direction: 'both',
          },
          capabilities: ['read', 'write', 'sync_token'],
          connected_by: state.acme.users.staff,
          allowed_actions: ['connect', 'test', 'disconnect'],
        },
      },
    });
    expect(await show(await state.acme.as('hr'))).toMatchObject({ status: 'not_configured', settings: null });
    expect(await connect({}, await state.acme.as('hr'))).toMatchObject({ status: 200 });
    expect(await contentsOf(platform)).not.toContain(PASSWORD_THERE);
    const client = await state.acme.as('client');
    expect(sortedStatuses([await connect({}, client), await disconnect({}, client)])).toEqual([403, 403]);
  });

  test('is deleted with its user', async () => {
    await connect();
    const owner = await state.acme.as('owner');
    expect((await owner.delete(`/api/user/delete/${state.acme.users.staff}`)).status).toBe(200);
    expect(await platform.sql`SELECT FROM integrations WHERE workspace_id = ${state.acme.id}`).toEqual([]);
    expect(await platform.sql`SELECT FROM todo_syncs WHERE workspace_id = ${state.acme.id}`).toEqual([]);
  });

  test('must be chosen among several calendars, and uses the named one', async () => {
    server.calendars = ['tasks', 'garden'];
    const choice = await connect();
    expect(choice).toMatchObject({ status: 422, body: { code: 'choose_calendar' } });
    const garden = `${server.url}/cal/kim/garden/`;
    expect(choice.body.details.calendars).toContainEqual({ url: garden, name: 'garden' });
    expect((await show()).status).toBe('not_configured');
    expect((await connect({ calendar_url: garden })).body.data.settings.calendar_name).toBe('garden');
    // Omitting the calendar and the password keeps them.
    const later = await state.staff.post('/api/todolist/connect', { direction: 'out' });
    expect(later.body.data.settings).toMatchObject({ calendar_url: garden, direction: 'out' });
  });

  test('stores nothing of a failed connection, and returns the failed step', async () => {
    const wrong = await connect({ password: 'not-the-password' });
    expect(wrong).toMatchObject({
      ...connectionFailed,
      body: { details: { steps: [{ name: 'principal', ok: false }] } },
    });
    expect((await connect({ calendar_url: `${server.url}/cal/kim/events/` })).body.code).toBe('connection_failed');
    server.calendars = [];
    expect((await connect()).body.details.steps.at(-1)).toMatchObject({ name: 'calendars', ok: false });
    server.calendars = ['tasks'];
    server.can_write = false;
    expect((await connect()).body.details.steps.at(-1)).toMatchObject({ name: 'rights', ok: false });
    expect((await show()).status).toBe('not_configured');
    expect((await connect({ direction: 'in' })).body.data).toMatchObject({ capabilities: ['read', 'sync_token'] });
  });

  test('rejects missing, masked or foreign values, naming the field', async () => {
    const fields = async (body: object) => Object.keys((await connect(body)).body.errors ?? {});
    expect(await fields({ password: undefined })).toEqual(['password']);
    expect(await fields({ username: undefined })).toEqual(['username']);
    expect(await fields({ username: 'a:b' })).toEqual(['username']);
    expect((await connect({ password: '••••-kim' })).body.code).toBe('masked_value');
    expect((await connect({ server_url: 'https://10.0.0.1/' })).body.code).toBe('private_address');
    expect(await fields({ server_url: 'http://dav.example/' })).toEqual(['server_url']);
    expect(await fields({ calendar_url: 'https://elsewhere.example/cal/' })).toEqual(['calendar_url']);
    await connect();
    // A stored password is never sent to another server or used for another user.
    expect(await fields({ server_url: 'https://elsewhere.example/', password: undefined })).toEqual(['password']);
    expect(await fields({ username: 'robin', password: undefined })).toEqual(['password']);
  });

  test('is tested at any time, and returns the failed step', async () => {
    expect((await test_()).body.code).toBe('not_connected');
    await connect();
    expect((await test_()).body.data).toMatchObject({ ok: true });
    server.queued_responses.push({ status: 401 });
    expect((await test_()).body.data).toMatchObject({ ok: false, steps: [{ name: 'calendar', ok: false }] });
    expect((await show()).status).toBe('connected');
  });

  test('follows no redirects or addresses to another host', async () => {
    const elsewhere = 'http://127.0.0.2:9/dav/';
    server.queued_responses.push({ status: 301, headers: { location: elsewhere } }, { status: 404 });
    expect((await connect()).body.details.steps).toMatchObject([{ name: 'principal', ok: false }]);
    const naming = `<multistatus xmlns="DAV:"><response><href>/dav/</href><propstat><prop><current-user-principal><href>${elsewhere}</href></current-user-principal></prop><status>HTTP/1.1 200 OK</status></propstat></response></multistatus>`;
    server.queued_responses.push({ status: 207, text: naming }, { status: 404 });
    expect((await connect()).body.code).toBe('connection_failed');
  });

  test('expands no entities, and rejects oversized or invalid responses', async () => {
    const bomb =
      '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y SYSTEM "file:///etc/passwd">]><multistatus xmlns="DAV:">&x;&y;</multistatus>';
    const attributes = (quote: string) => Array.from({ length: 80_000 }, (_, at) => `a${at}=${quote}`).join(' ');
    const within = (content: string) => `<multistatus xmlns="DAV:">${content}</multistatus>`;
    const slow = [
      within(`<a ${attributes('">"')}/>`),
      within(`<?a <!-- ?><a ${attributes("''")}/><!-- -->`),
      within('<a>'.repeat(20_000) + '</a>'.repeat(20_000)),
    ];
    for (const text of [bomb, ...slow, 'not at all', '<a><b></a>', '<a>'.repeat(20_000), '{"a":1}', '']) {
      server.queued_responses.push({ status: 207, text }, { status: 207, text });
      expect((await connect()).body.details.steps).toMatchObject([{ name: 'principal', ok: false }]);
    }
    server.queued_responses.push({ status: 207, text: 'x'.repeat(10_000_000) });
    expect((await connect()).body.details.steps[0].message).toContain('too large');
  });

  test('is disabled and restored together with its module', async () => {
    await connect();
    await platform.sql`UPDATE integrations SET status = 'disabled' WHERE user_id = ${state.acme.users.staff}`;
    tasks.add();
    await sync();
    expect(server.entries.size).toBe(0);
    expect((await show()).allowed_actions).toEqual(['disconnect']);
  });
});

describe('a disconnected to-do list', () => {
  test('leaves its tasks in the calendar, and can be disconnected again', async () => {
    await connect();
    const id = tasks.add();
    await syncNow();
    expect((await disconnect()).body.data).toMatchObject({
      status: 'not_configured',
      settings: null,
      usage: { tasks: 0 },
    });
    expect((await disconnect()).status).toBe(200);
    await remove();
    expect([...server.entries.keys()]).toEqual([pathOf(id)]);
  });

  test('has its tasks deleted shortly afterwards, then its password too', async () => {
    await connect();
    server.edit(`${CALENDAR}own.ics`, () => 'of the user');
    for (let count = 0; count < 30; count += 1) tasks.add();
    await syncNow();
    expect(server.entries.size).toBe(31);
    expect((await disconnect({ remove_remote: true })).body.data.status).toBe('not_configured');
    server.queued_responses.push({ status: 503 });
    await remove();
    expect(server.entries.size).toBe(31);
    for (let time = 0; time < 3; time += 1) {
      await platform.sql`UPDATE todo_removals SET next_attempt_at = now() - interval '1 minute'`;
      await remove();
    }
    expect([...server.entries.keys()]).toEqual([`${CALENDAR}own.ics`]);
    expect(await platform.sql`SELECT FROM todo_removals`).toEqual([]);
  });

  test('keeps the entries of a connection made in the meantime', async () => {
    await connect();
    const id = tasks.add();
    await syncNow();
    await disconnect({ remove_remote: true });
    await connect();
    await remove();
    await syncNow();
    expect([...server.entries.keys()]).toEqual([pathOf(id)]);
    expect((await show()).usage).toEqual({ tasks: 1, refused: 0 });
  });
});
