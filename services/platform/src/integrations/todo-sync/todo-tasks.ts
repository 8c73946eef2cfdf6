/** Tasks of a user: read from projects and crm, and changed there, with the user's current permissions. */
import { createHash } from 'node:crypto';
import { Fault } from '@suite/chassis/faults';
import { type Caller, callerOnBehalfOf } from '@suite/chassis/identity';
import type { toRightsResponse } from '../../identity/accounts/rights.ts';
import type { TodoFields } from '../caldav/todo-entry.ts';
import type { Rpc } from '../../operations.ts';
import type { TaskSource, TodoItem } from './todo-sync.ts';

/** Clients of projects and crm, with the permissions of a user. */
export interface TaskClients {
  rpc: Rpc;
  rights: ReturnType<typeof toRightsResponse>;
}

/** Returns clients that act on behalf of a user without a session. */
export const clientsOnBehalfOf = (
  rpc: (caller: Caller | null, request_id: string) => Rpc,
  { user_id, workspace_id }: { user_id: string; workspace_id: string },
  request_id: string,
): Rpc => rpc(callerOnBehalfOf(user_id, workspace_id), request_id);

/** Short form of a task to be done. */
export interface TodoLine {
  task_id: string;
  source: TaskSource;
  version: number;
  group: string;
}

/** Task with its displayed fields. */
export interface TodoTask extends TodoLine, TodoFields {
  updated_at: string;
}

/** Returns a mark for each user. A mark changes with every change of the user's tasks. */
export async function readMarks(rpc: Rpc, user_ids: string[]): Promise<Map<string, string>> {
  const requests = [rpc.projects.batchGetToDoMarks({ user_ids }), rpc.crm.batchGetToDoMarks({ user_ids })];
  const found = new Map<string, string>();
  for (const { marks } of await Promise.all(requests))
    for (const { user_id, mark } of marks) found.set(user_id, `${found.get(user_id) ?? ''} ${mark}`);
  return found;
}

/**
 * Returns the tasks of a user that are in their calendar, or belong there. Tasks of crm include their displayed fields.
 */
export async function readTasks(
  { rpc, rights }: TaskClients,
  items: readonly TodoItem[],
): Promise<Map<string, TodoLine | TodoTask>> {
  const knownIds = (source: TaskSource) => items.filter((item) => item.source === source).map(({ task_id }) => task_id);
  const [projects, crm] = await Promise.all([
    rpc.projects.listToDoTasks({ rights, known_task_ids: knownIds('projects') }),
    rpc.crm.listToDoTasks({ rights, known_task_ids: knownIds('crm') }),
  ]);
  const lines: (TodoLine | TodoTask)[] = [
    ...projects.tasks.map((line) => ({ ...line, source: 'projects' as const })),
    ...crm.tasks.map((task) => ({ ...task, source: 'crm' as const })),
  ];
  return new Map(lines.map((line) => [line.task_id, line]));
}

/** Returns the displayed fields of these tasks. Omits tasks that were deleted in the meantime. */
export async function readTaskFields({ rpc, rights }: TaskClients, lines: readonly (TodoLine | TodoTask)[]) {
  const task_ids = lines.filter((line) => !('title' in line)).map(({ task_id }) => task_id);
  const { tasks } = task_ids.length > 0 ? await rpc.projects.batchGetToDoTasks({ rights, task_ids }) : { tasks: [] };
  const requests = tasks.map((task) => ({ ...task, source: 'projects' as const }));
  const complete = lines.filter((line): line is TodoTask => 'title' in line);
  return new Map<string, TodoTask>([...requests, ...complete].map((task) => [task.task_id, task]));
}

/** Change that a user has made in their calendar. */
export interface TodoChange {
  task_id: string;
  /** ETag of the calendar entry. */
  etag: string;
  after?: Partial<TodoFields>;
  before?: Partial<TodoFields>;
  changed_at?: string;
  unassign?: boolean;
}

const keyOf = (sync_id: string, { task_id, etag, after, unassign }: TodoChange): string => {
  const content = JSON.stringify([sync_id, task_id, etag, Object.keys(after ?? {}), unassign]);
  return createHash('sha256').update(content).digest('base64url');
};

/** Change that the user may not make, or that is impossible. */
export class ChangeRejection {
  /** Message for the user. */
  readonly reason: string;

  constructor({ message }: Fault) {
    // Removes the prefix `after.` of the projects service. Users know the field from their calendar.
    this.reason = message.replace(/^after\./, '');
  }
}

/**
 * Changes a task of projects to match the user's calendar.
 * @returns the updated task, or nothing when the user was unassigned
 */
export async function changeTask(
  { rpc, rights }: TaskClients,
  sync_id: string,
  change: TodoChange,
): Promise<TodoTask | undefined | ChangeRejection> {
  const { task_id, after, before, changed_at = '', unassign = false } = change;
  try {
    const { task } = await rpc.projects.changeToDoTask({
      idempotency_key: keyOf(sync_id, change),
      rights,
      task_id,
      after,
      before,
      changed_at,
      unassign,
    });
    return task && { ...task, source: 'projects' };
  } catch (error) {
    if (error instanceof Fault && error.status < 500) return new ChangeRejection(error);
    throw error;
  }
}
