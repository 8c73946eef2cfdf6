/** For tests: a calendar server, tasks, and a user who synchronises them. */
import { beforeEach } from '@jest/globals';
import { type ServiceUnderTest, start } from '@suite/testing';
import { platform as contents } from '../src/platform.ts';
import { removeToDoItems } from '../src/integrations/todo-sync/todo-removal.ts';
import { syncToDoLists } from '../src/integrations/todo-sync/todo-runs.ts';
import { watchToDoLists } from '../src/integrations/todo-sync/todo-watch.ts';
import { CALENDAR, caldavServer, PASSWORD_THERE, USERNAME } from './caldav-server.ts';
import { toDoTasks } from './to-do-tasks.ts';
import { openWorkspace, type SignedIn, type TestWorkspace } from './workspace.ts';

/** Returns the path of a task in the calendar. */
export const pathOf = (task_id: string): string => `${CALENDAR}${task_id}.ics`;

/** Starts platform with a calendar server, and creates a workspace before each test. */
export async function toDoList() {
  const tasks = toDoTasks();
  const platform: ServiceUnderTest = await start({ ...contents, schedules: [] }, { fakes: tasks.fakes });
  const server = await caldavServer();
  const state = {} as { acme: TestWorkspace; staff: SignedIn };
  beforeEach(async () => {
    tasks.clear();
    server.requests.length = 0;
    server.queued_responses.length = 0;
    server.meanwhile = undefined;
    server.calendars = ['tasks'];
    Object.assign(server, { has_tokens: true, can_write: true });
    for (const path of server.entries.keys()) server.drop(path);
    await platform.sql`DELETE FROM todo_syncs`;
    await platform.sql`DELETE FROM todo_removals`;
    await platform.sql`DELETE FROM postponed_work`;
    const acme = await openWorkspace(platform);
    Object.assign(state, { acme, staff: await acme.as('staff') });
  });
  const connect = (body: object = {}, by = state.staff) =>
    by.post('/api/todolist/connect', { server_url: server.url, username: USERNAME, password: PASSWORD_THERE, ...body });
  const work = (schedule: { work(tools: never): Promise<unknown> }) => () => schedule.work(platform.tools as never);
  return {
    platform,
    server,
    tasks,
    state,
    connect,
    show: async (by = state.staff) => (await by.get('/api/todolist')).body.data,
    sync: work(syncToDoLists),
    /** Runs the synchronisation immediately. */
    async syncNow() {
      await platform.sql`UPDATE todo_syncs SET next_attempt_at = '2000-01-01'`;
      await syncToDoLists.work(platform.tools as never);
    },
    watch: work(watchToDoLists),
    remove: work(removeToDoItems),
    textOf: (task_id: string) => server.entries.get(pathOf(task_id))?.text,
    edit: (task_id: string, from: string | RegExp, to: string) =>
      server.edit(pathOf(task_id), (text) => text.replace(from, to)),
  };
}
