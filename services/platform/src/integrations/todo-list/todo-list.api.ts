/** Your to-do list: a CalDAV calendar that is synchronised with your tasks. */
import type { Caller } from '@suite/chassis/identity';
import { can, ok } from '@suite/chassis/operations';
import {
  connectIntegration,
  disconnectIntegration,
  findIntegration,
  openConnected,
  openIntegration,
  recordSuccess,
} from '../../connections/integrations/integration.ts';
import {
  ConnectionChanged,
  ConnectionFailed,
  integrationStates,
  MaskedValue,
  NotConnected,
  PrivateAddress,
} from '../../connections/integrations/integration.rules.ts';
import { ConnectionTest } from '../../connections/integrations/integration.schema.ts';
import { toIntegrationResponse } from '../../connections/integrations/integration.view.ts';
import { type Db, inToDoList } from '../../operations.ts';
import { endSync, startSync, readUsage } from '../todo-sync/todo-sync.ts';
import {
  mergeConnection,
  testConnection,
  type ToDoListSecrets,
  testRequested,
} from '../todo-connection/todo-connection.ts';
import { CalendarRequired } from '../todo-connection/todo-list.rules.ts';
import { ToDoList, ToDoListEnd, ToDoListInput, type ToDoListSettings } from '../todo-connection/todo-list.schema.ts';

const ADDITION = 'The specification only shows integrations: users must be able to connect, test and disconnect them.';

const { query, command } = inToDoList;

const ownIntegration = ({ user_id }: Caller) => ({ name: 'todolist', user_id }) as const;

async function showToDoList(db: Db, caller: Caller) {
  const row = await findIntegration(db, ownIntegration(caller));
  const status = row?.status ?? 'not_configured';
  // All users manage their own to-do list.
  const owner = { ...caller, permissions: ['integration.manage'] };
  const actions = integrationStates.allowedTo(owner, { status });
  const usage = await readUsage(db, row?.id);
  const details = { name: 'todolist', scope: 'user', caller, usage, actions } as const;
  return toIntegrationResponse<ToDoListSettings, typeof usage>(row, details);
}

export const show = query('GET /api/todolist', {
  summary: 'Get your to-do list',
  description:
    'Returns your own to-do list connection. Each user has one. The password is masked except for its last four characters.',
  access: can('integration.view'),
  reply: ok(ToDoList),
  handle: ({ db, caller }) => showToDoList(db, caller),
});

export const connect = command('POST /api/todolist/connect', {
  summary: 'Connect your to-do list',
  description:
    'Connects your CalDAV calendar after a test. Omitted settings stay unchanged, and a failed connection is not stored. Synchronises open project tasks in both directions, and writes lead and deal tasks to the calendar. Deleting a project task in the calendar removes you as its assignee. Other calendar entries stay untouched.',
  addition: ADDITION,
  access: can('integration.view'),
  body: ToDoListInput,
  reply: ok(ToDoList),
  faults: [ConnectionFailed, ConnectionChanged, PrivateAddress, MaskedValue, CalendarRequired],
  async prepare({ read, keys, body, caller, outgoing }) {
    const existing = await read((db) =>
      openIntegration<ToDoListSettings, ToDoListSecrets>(db, keys, ownIntegration(caller)),
    );
    const tested = await testRequested(mergeConnection(body, existing), {
      outgoing,
      workspace_id: caller.workspace_id,
    });
    return { ...tested, reused_connection: body.server_url && body.username && body.password ? undefined : existing };
  },
  async handle({ db, keys, caller, prepared: connection }) {
    const id = await connectIntegration(db, keys, ownIntegration(caller), connection, caller.user_id);
    await startSync(db, { id, user_id: caller.user_id, calendar_url: connection.settings.calendar_url });
    return await showToDoList(db, caller);
  },
});

export const test = command('POST /api/todolist/test', {
  summary: 'Test your to-do list',
  description:
    'Tests access to the calendar. Returns 200 with the failure if the test fails. Returns `not_connected` without a connection.',
  addition: ADDITION,
  access: can('integration.view'),
  reply: ok(ConnectionTest),
  faults: [NotConnected],
  async prepare({ read, keys, caller, outgoing }) {
    const open = await read((db) => openConnected<ToDoListSettings, ToDoListSecrets>(db, keys, ownIntegration(caller)));
    const trial = await testConnection(open, { outgoing, workspace_id: caller.workspace_id });
    return { open, result: trial.result() };
  },
  async handle({ db, prepared: { open, result } }) {
    if (result.ok) await recordSuccess(db, open);
    return result;
  },
});

export const disconnect = command('POST /api/todolist/disconnect', {
  summary: 'Disconnect your to-do list',
  description:
    'Disconnects the calendar. Tasks remain there unless `remove_remote` is `true`. Disconnecting again changes nothing.',
  addition: ADDITION,
  access: can('integration.view'),
  body: ToDoListEnd,
  reply: ok(ToDoList),
  async handle({ db, keys, caller, body }) {
    const own = ownIntegration(caller);
    const open = await openIntegration<ToDoListSettings, ToDoListSecrets>(db, keys, own);
    await endSync(db, keys, { user_id: caller.user_id, former_connection: body.remove_remote ? open : undefined });
    await disconnectIntegration(db, own, caller);
    return await showToDoList(db, caller);
  },
});
