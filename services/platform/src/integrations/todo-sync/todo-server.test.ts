import { describe, expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import { pathOf, toDoList } from '../../../test/to-do-list.ts';

const { platform, server, tasks, connect, show, sync, syncNow, textOf, edit } = await toDoList();

describe('the server of a to-do list', () => {
  test('returns the ETags of our own entries without sync tokens', async () => {
    server.has_tokens = false;
    expect((await connect()).body.data.capabilities).toEqual(['read', 'write']);
    const [id, gone, stays] = [tasks.add(), tasks.add(), tasks.add()];
    await sync();
    edit(id, 'Paint the wall', 'Paint the door');
    server.drop(pathOf(gone));
    await syncNow();
    const changeOf = (task_id: string) => tasks.changes.filter((change) => change.task_id === task_id);
    expect(changeOf(id)).toMatchObject([{ after: { title: 'Paint the door' } }]);
    expect(changeOf(gone)).toMatchObject([{ unassign: true }]);
    expect(tasks.changes).toHaveLength(2);
    expect([...server.entries.keys()].toSorted()).toEqual([pathOf(id), pathOf(stays)].toSorted());
  });

  test('loses nothing if it has forgotten its sync tokens', async () => {
    await connect();
    const id = tasks.add();
    await sync();
    server.forget();
    edit(id, 'Paint the wall', 'Paint the door');
    await syncNow();
    expect(tasks.projects.get(id)?.title).toBe('Paint the door');
  });

  test('unassigns the user from no task when its calendar is recreated', async () => {
    await connect();
    const ids = [tasks.add(), tasks.add(), tasks.add()];
    await sync();
    for (const id of ids) server.drop(pathOf(id));
    server.forget();
    await syncNow();
    expect(tasks.changes).toEqual([]);
    expect(server.entries.size).toBe(3);
  });

  test('is asked again, without loss, if a concurrent writer is faster', async () => {
    await connect();
    const id = tasks.add({ description: 'Twice.' });
    await sync();
    tasks.change(id, { title: 'Ours' });
    let once = true;
    server.meanwhile = ({ method }) => {
      if (method !== 'PUT' || !once) return;
      once = false;
      edit(id, 'DESCRIPTION:Twice.', 'DESCRIPTION:Thrice.');
    };
    await syncNow();
    await syncNow();
    expect(textOf(id)).toContain('SUMMARY:Ours\r\n');
    expect(textOf(id)).toContain('DESCRIPTION:Thrice.\r\n');
    expect(tasks.projects.get(id)).toMatchObject({ title: 'Ours', description: 'Thrice.' });
  });

  test('keeps its version of a task that exists on both sides', async () => {
    await connect();
    const id = tasks.add();
    server.edit(
      pathOf(id),
      () =>
        `BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:${id}\r\nSUMMARY:Theirs\r\nX-MINE:kept\r\nEND:VTODO\r\nEND:VCALENDAR\r\n`,
    );
    await syncNow();
    expect(tasks.changes).toMatchObject([{ after: { title: 'Theirs' }, before: {} }]);
    expect(textOf(id)).toContain('X-MINE:kept');
  });

  test('receives the other tasks if it rejects one', async () => {
    await connect();
    const [one, two] = [tasks.add(), tasks.add()];
    const paths = new Set<string>();
    server.meanwhile = ({ method, path }) => {
      if (method === 'PUT' && paths.size === 0) {
        paths.add(path);
        server.queued_responses.push({ status: 413 });
      }
    };
    await syncNow();
    expect(server.entries.size).toBe(1);
    expect((await show()).usage).toEqual({ tasks: 1, refused: 1 });
    await syncNow();
    expect([...server.entries.keys()].toSorted()).toEqual([pathOf(one), pathOf(two)].toSorted());
    expect((await show()).usage).toEqual({ tasks: 2, refused: 0 });
  });

  test('causes an error if it rejects the password, and recovers', async () => {
    await connect();
    tasks.add();
    server.queued_responses.push({ status: 401 });
    await syncNow();
    expect(await show()).toMatchObject({ status: 'error', last_error: { code: 'credentials_refused', count: 1 } });
    await syncNow();
    expect(await show()).toMatchObject({ status: 'connected' });
    expect(server.entries.size).toBe(1);
  });

  test('is paused for a minute after five consecutive failures', async () => {
    const clock = freezeClock('2026-06-10T08:00:00Z');
    await connect();
    tasks.add();
    for (let minute = 1; minute <= 5; minute += 1) {
      clock.goTo(`2026-06-10T${String(8 + minute).padStart(2, '0')}:00:00Z`);
      server.queued_responses.push({ status: 503 });
      await sync();
    }
    expect(await show()).toMatchObject({
      last_error: { code: 'server_busy', count: 5 },
      next_retry_at: '2026-06-10T13:01:00.000Z',
    });
    const before = server.requests.length;
    clock.goTo('2026-06-10T13:00:59Z');
    await platform.sql`UPDATE todo_syncs SET next_attempt_at = '2026-06-10T13:00:00Z'`;
    await sync();
    expect(server.requests.length).toBe(before);
    clock.goTo('2026-06-10T14:00:00Z');
    await sync();
    expect(server.entries.size).toBe(1);
  });

  test('is not trusted if it returns entries outside the calendar', async () => {
    await connect();
    tasks.add();
    await sync();
    const href = (path: string) => `<response><href>${path}</href><status>HTTP/1.1 404 Not Found</status></response>`;
    const evil = [
      '/cal/kim/tasks/../../robin/a.ics',
      'http://127.0.0.2/cal/kim/tasks/a.ics',
      '%',
      '/cal/kim/tasks/%2e%2e/a.ics',
    ];
    server.queued_responses.push({
      status: 207,
      text: `<multistatus xmlns="DAV:">${evil.map(href).join('')}</multistatus>`,
    });
    await syncNow();
    expect(tasks.changes).toEqual([]);
    expect(server.requests.every(({ path }) => path.startsWith('/cal/kim/tasks/') || !path.includes('robin'))).toBe(
      true,
    );
  });
});
