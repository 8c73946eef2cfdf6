import { describe, expect, test } from '@jest/globals';
import { sortedStatuses, freezeClock } from '@suite/testing';
import { CALENDAR } from '../../../test/caldav-server.ts';
import { pathOf, toDoList } from '../../../test/to-do-list.ts';

const { platform, server, tasks, state, connect, show, sync, syncNow, watch, remove, textOf, edit } = await toDoList();
const puts = () => server.requests.filter(({ method }) => method === 'PUT').length;
const RICH = ['X-MINE:kept', 'CATEGORIES:A,B', 'BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT5M', 'END:VALARM'];

describe('a task', () => {
  test('is written into the calendar once with its fields', async () => {
    await connect();
    const id = tasks.add({
      title: 'Paint, the; wall',
      description: 'Twice.\r\nIn blue.',
      due_date: '2026-07-01',
      priority: 'high',
      group: 'started',
    });
    const call = tasks.addOfCrm({ title: 'Call Ada', due_date: '2026-06-12', priority: 'low' });
    await sync();
    const text = textOf(id)!;
    expect(text).toContain(`UID:${id}\r\n`);
    for (const line of [
      'SUMMARY:Paint\\, the\\; wall',
      'DESCRIPTION:Twice.\\nIn blue.',
      'DUE;VALUE=DATE:20260701',
      'PRIORITY:3',
      'STATUS:IN-PROCESS',
      'LAST-MODIFIED:20260610T080000Z',
    ])
      expect(text).toContain(`${line}\r\n`);
    expect(textOf(call)).toContain('PRIORITY:7\r\n');
    expect(await show()).toMatchObject({ usage: { tasks: 2 }, last_sync_at: expect.any(String) });
    await syncNow();
    await syncNow();
    expect(puts()).toBe(2);
    expect(tasks.changes).toEqual([]);
  });

  test('is updated in the next run if it changes, and the rest of the entry stays', async () => {
    const clock = freezeClock('2026-06-10T08:00:00Z');
    await connect();
    const id = tasks.add({ due_date: '2026-07-01' });
    await sync();
    edit(id, 'END:VTODO', `${RICH.join('\r\n')}\r\nEND:VTODO`);
    await syncNow();
    expect(tasks.changes).toEqual([]);
    tasks.change(id, { title: 'Paint the door', group: 'completed', priority: 'urgent' });
    clock.goTo('2026-06-10T08:01:00Z');
    await sync();
    expect(textOf(id)).toContain('Paint the wall');
    await watch();
    await sync();
    const text = textOf(id)!;
    for (const line of ['SUMMARY:Paint the door', 'STATUS:COMPLETED', 'PERCENT-COMPLETE:100', 'PRIORITY:1', ...RICH])
      expect(text).toContain(`${line}\r\n`);
    tasks.change(id, { group: 'unstarted' });
    await syncNow();
    expect(textOf(id)).not.toMatch(/^(COMPLETED|PERCENT-COMPLETE)/m);
  });

  test('is deleted from the calendar if it no longer belongs to the user', async () => {
    await connect();
    const [gone, stays] = [tasks.add(), tasks.add()];
    await sync();
    tasks.projects.delete(gone);
    await syncNow();
    expect([...server.entries.keys()]).toEqual([pathOf(stays)]);
  });

  test("remains in another user's calendar and assigned to that user", async () => {
    const colleague = await state.acme.as('hr');
    await connect();
    await connect({}, colleague);
    const id = tasks.add();
    await sync();
    const usages = async () => [(await show()).usage.tasks, (await show(colleague)).usage.tasks];
    expect([server.entries.size, await usages()]).toEqual([1, [1, 1]]);
    tasks.hidden.add(state.acme.users.staff);
    await syncNow();
    await syncNow();
    expect([[...server.entries.keys()], await usages(), tasks.changes]).toEqual([[pathOf(id)], [0, 1], []]);
    await colleague.post('/api/todolist/disconnect', { remove_remote: true });
    await remove();
    expect(server.entries.size).toBe(0);
  });

  test('stays unchanged in the calendar if it is from another program', async () => {
    await connect();
    const own = 'BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:own\r\nSUMMARY:Milk\r\nEND:VTODO\r\nEND:VCALENDAR\r\n';
    server.edit(`${CALENDAR}own.ics`, () => own);
    tasks.add();
    await sync();
    await syncNow();
    expect(server.entries.get(`${CALENDAR}own.ics`)?.text).toBe(own);
    expect(tasks.changes).toEqual([]);
  });
});

describe('a change in the calendar', () => {
  test("is applied with the user's permissions, based on the last common state", async () => {
    await connect();
    const id = tasks.add({ description: 'Twice.' });
    await sync();
    edit(id, 'SUMMARY:Paint the wall', 'SUMMARY:Paint the door');
    edit(id, 'STATUS:NEEDS-ACTION', 'STATUS:COMPLETED');
    edit(id, /LAST-MODIFIED:\S+/, 'LAST-MODIFIED:20260610T090000Z');
    await syncNow();
    expect(tasks.changes).toMatchObject([
      {
        task_id: id,
        after: { title: 'Paint the door' },
        before: { title: 'Paint the wall' },
        changed_at: '2026-06-10T09:00:00.000Z',
      },
      { task_id: id, after: { group: 'completed' }, before: { group: 'unstarted' } },
    ]);
    expect(tasks.changes[0]!.rights).toMatchObject({ user: { user_id: state.acme.users.staff }, role: 'staff' });
    expect(tasks.permissions[0]).toContain('integration.view');
    await syncNow();
    expect([tasks.changes.length, puts()]).toEqual([2, 1]);
  });

  test('uses the time zone of the user for its day', async () => {
    await connect();
    const id = tasks.add();
    await sync();
    await platform.sql`UPDATE users SET timezone = 'America/New_York' WHERE id = ${state.acme.users.staff}`;
    edit(id, 'PRIORITY:5', 'PRIORITY:5\r\nDUE:20260701T020000Z');
    await syncNow();
    expect(tasks.changes).toMatchObject([{ after: { due_date: '2026-06-30' } }]);
  });

  test('is reverted if it is rejected', async () => {
    await connect();
    const id = tasks.add();
    await sync();
    tasks.refuse(409, 'project_archived');
    edit(id, 'SUMMARY:Paint the wall', 'SUMMARY:Paint the door');
    await syncNow();
    expect(textOf(id)).toContain('SUMMARY:Paint the wall\r\n');
    await syncNow();
    expect(tasks.changes).toHaveLength(1);
    expect(await show()).toMatchObject({
      status: 'connected',
      next_retry_at: null,
      last_error: {
        code: 'change_refused',
        message: 'A change to “Paint the wall” was not accepted. No.',
        count: 1,
      },
    });
  });

  test('is overwritten for a crm task, or with a write-only calendar', async () => {
    await connect();
    const call = tasks.addOfCrm({ title: 'Call Ada' });
    await sync();
    edit(call, 'Call Ada', 'Do not call');
    await syncNow();
    expect(textOf(call)).toContain('SUMMARY:Call Ada\r\n');
    server.drop(pathOf(call));
    await syncNow();
    expect(textOf(call)).toContain('SUMMARY:Call Ada\r\n');
    await connect({ direction: 'out' });
    const id = tasks.add();
    await syncNow();
    edit(id, 'Paint the wall', 'Paint nothing');
    await syncNow();
    expect(textOf(id)).toContain('SUMMARY:Paint the wall\r\n');
    expect(tasks.changes).toEqual([]);
  });

  test('is applied without a write to the calendar in direction `in`', async () => {
    await connect();
    const id = tasks.add();
    await sync();
    await connect({ direction: 'in' });
    tasks.change(id, { description: 'Of ours.' });
    tasks.add({ title: 'Not there' });
    edit(id, 'Paint the wall', 'Paint the door');
    const before = puts();
    await syncNow();
    expect(tasks.projects.get(id)).toMatchObject({ title: 'Paint the door', description: 'Of ours.' });
    expect([puts(), server.entries.size]).toEqual([before, 1]);
  });

  test('unassigns the user if it deletes a task, unless this is rejected', async () => {
    await connect();
    const [one, two, three] = [tasks.add(), tasks.add(), tasks.add()];
    await sync();
    server.drop(pathOf(one));
    await syncNow();
    expect(tasks.changes).toMatchObject([{ task_id: one, unassign: true }]);
    tasks.refuse(403, 'forbidden');
    server.drop(pathOf(two));
    await syncNow();
    expect([...server.entries.keys()].toSorted()).toEqual([pathOf(two), pathOf(three)].toSorted());
  });

  test('is overwritten with the current task if it is invalid', async () => {
    await connect();
    const id = tasks.add();
    await sync();
    for (const text of [
      'BEGIN:VCALENDAR\r\nEND:VCALENDAR',
      'nonsense',
      textOf(id)!.replace(`UID:${id}`, 'UID:another'),
    ]) {
      server.edit(pathOf(id), () => text);
      await syncNow();
      expect(textOf(id)).toContain(`UID:${id}\r\n`);
    }
    expect(tasks.changes).toEqual([]);
  });
});

describe('synchronization', () => {
  test('continues from run to run until all of many tasks are written', async () => {
    await connect();
    for (let count = 0; count < 2_000; count += 1) tasks.add({ title: `Task ${count}` });
    for (let runs = 0; runs < 60 && server.entries.size < 2_000; runs += 1) await syncNow();
    expect(server.entries.size).toBe(2_000);
    expect((await show()).usage).toEqual({ tasks: 2_000, refused: 0 });
    const before = server.requests.length;
    await syncNow();
    expect(server.requests.length - before).toBe(1);
  });

  test('happens once with concurrent runs', async () => {
    await connect();
    const ids = [tasks.add(), tasks.add()];
    await Promise.all(Array.from({ length: 8 }, () => sync()));
    expect([puts(), server.entries.size]).toEqual([2, 2]);
    server.drop(pathOf(ids[0]!));
    await platform.sql`UPDATE todo_syncs SET next_attempt_at = now() - interval '1 minute'`;
    await Promise.all(Array.from({ length: 8 }, () => sync()));
    expect(tasks.changes).toHaveLength(1);
  });

  test('leaves nothing behind if it is interrupted by a disconnection', async () => {
    await connect();
    for (let count = 0; count < 5; count += 1) tasks.add();
    const ended: Promise<unknown>[] = [];
    server.meanwhile = ({ method }) => {
      if (method === 'PUT' && puts() === 3)
        ended.push(state.staff.post('/api/todolist/disconnect', { remove_remote: true }));
    };
    await syncNow();
    const [reply] = await Promise.all(ended);
    expect(sortedStatuses([reply as never])).toEqual([200]);
    expect(await platform.sql`SELECT FROM todo_items`).toEqual([]);
    expect((await show()).status).toBe('not_configured');
  });

  test('stops for a user who may not sign in, and writes only tasks they may see', async () => {
    await connect();
    const id = tasks.add();
    await sync();
    await platform.sql`UPDATE users SET status = 'disabled' WHERE id = ${state.acme.users.staff}`;
    const before = server.requests.length;
    edit(id, 'Paint the wall', 'Paint the door');
    await syncNow();
    expect([server.requests.length, tasks.changes]).toEqual([before, []]);
    await platform.sql`UPDATE users SET status = 'active' WHERE id = ${state.acme.users.staff}`;
    tasks.projects.clear();
    await syncNow();
    expect(server.entries.size).toBe(0);
  });
});
