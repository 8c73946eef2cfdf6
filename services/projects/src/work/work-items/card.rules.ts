/** Rules of tasks and bugs that need no database: progress, completion, resolutions and permissions. */
import { sql } from '@suite/chassis/database';
import { fault, invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { recordActions } from '@suite/chassis/operations';
import { isAtLeast, ProjectClosed, projectFaults, type ProjectRole } from '../access/project.rules.ts';

/** Kind of card. Tasks and bugs differ only in routes, permissions and a few columns. */
export type WorkItemKind = 'task' | 'bug';

export const Blocked = fault(409, 'blocked', 'This task is blocked. Complete the blocking tasks first.');
export const CircularBlockers = fault(
  409,
  'circular_blockers',
  'Tasks cannot block each other. Remove one of the dependencies.',
);
export const CircularParents = fault(
  409,
  'circular_parents',
  'A task cannot be part of itself. Choose another parent.',
);
export const WipLimit = fault(409, 'wip_limit', 'This stage has reached its limit of cards. Choose another stage.');

/** Faults of updating and creating an item. */
export const changeFaults = [...projectFaults, Blocked, CircularBlockers, CircularParents, WipLimit];
export const creationFaults = [...changeFaults, ProjectClosed];

/** Warnings in the response of a change. */
export interface ChangeWarnings {
  over_limit?: boolean;
  open_children?: number;
}

/** Returns true for the groups completed and cancelled. */
export const isClosedGroup = (group: string): boolean => group === 'completed' || group === 'cancelled';

/** Returns the contribution of an item to the progress of its project and its milestone. Bugs do not count. */
export const countsOf = (kind: WorkItemKind, group: string) => ({
  countable: kind === 'task' && group !== 'cancelled' ? 1 : 0,
  completed: kind === 'task' && group === 'completed' ? 1 : 0,
});

/** Resolution of a bug. Both are null while it is open. */
interface BugResolution {
  resolution?: string | null | undefined;
  duplicate_of?: string | null | undefined;
}

function resolutionIn(group: string, { resolution }: BugResolution, kept: string | null | undefined): string {
  const found = resolution ?? kept ?? (group === 'completed' ? 'fixed' : undefined);
  if (!found || (group === 'cancelled' && found === 'fixed'))
    throw invalid('resolution', 'Enter the resolution: wont_fix, duplicate or cannot_reproduce.');
  return found;
}

/**
 * Determines the resolution of a bug in a stage of this group.
 * @param requested the resolution in the body
 * @param present the current resolution
 * @throws a 422 for `resolution` or `duplicate_of`
 */
export function endingOf(
  group: string,
  requested: BugResolution,
  present: BugResolution & { group?: string },
): { resolution: string | null; duplicate_of: string | null } {
  const open = { resolution: null, duplicate_of: null };
  if (!isClosedGroup(group)) {
    if (requested.resolution)
      throw invalid('resolution', 'Only a completed bug can have a resolution. Remove it, or complete the bug.');
    if (requested.duplicate_of)
      throw invalid(
        'duplicate_of',
        'Only a bug with the resolution “duplicate” can refer to another bug. Remove the reference.',
      );
    return open;
  }
  const resolution = resolutionIn(group, requested, present.group === group ? present.resolution : undefined);
  if (resolution !== 'duplicate') {
    if (requested.duplicate_of)
      throw invalid(
        'duplicate_of',
        'Only a bug with the resolution “duplicate” can refer to another bug. Remove the reference.',
      );
    return { resolution, duplicate_of: null };
  }
  const duplicate_of = requested.duplicate_of ?? present.duplicate_of;
  if (!duplicate_of) throw invalid('duplicate_of', 'Enter the bug that this bug duplicates.');
  return { resolution, duplicate_of };
}

/** Checks the order of the dates. @throws a 422 if the item would be due before it starts */
export function assertDates({ start_date, due_date }: { start_date: string | null; due_date: string | null }): void {
  if (start_date && due_date && due_date < start_date)
    throw invalid('due_date', 'The due date must not be before the start date.');
}

/** Returns the minimum role for creating an item. Viewers can report bugs. */
export const leastToCreate = (kind: WorkItemKind): ProjectRole => (kind === 'bug' ? 'viewer' : 'member');

/** The minimum role for each action on a task or a bug. */
const MINIMUM_ROLES: Readonly<Record<string, ProjectRole>> = {
  update: 'member',
  move: 'member',
  comment: 'viewer',
  watch: 'viewer',
  move_to_project: 'manager',
  delete: 'manager',
};

// The view computes the actions, because they depend on the role of the caller.
const byRole = { when: () => sql`FALSE` };

/** Actions on tasks and bugs. */
export const workItemActions = {
  task: recordActions(
    'task',
    {
      update: { permission: 'task.update', by: 'tasks.update' },
      move: { permission: 'task.update', by: 'lightTasks.move' },
      comment: { permission: 'task.view', by: 'comments.addToTask' },
      watch: { permission: 'task.update', by: 'tasks.watch' },
      move_to_project: { permission: 'task.update', by: 'tasks.move' },
      delete: { permission: 'task.delete', by: 'tasks.remove' },
    },
    byRole,
  ),
  bug: recordActions(
    'bug',
    {
      update: { permission: 'bug.update', by: 'bugs.update' },
      move: { permission: 'bug.update', by: 'bugs.update' },
      comment: { permission: 'bug.view', by: 'comments.addToBug' },
      watch: { permission: 'bug.update', by: 'bugs.watch' },
      delete: { permission: 'bug.delete', by: 'bugs.remove' },
    },
    byRole,
  ),
};

/** Returns the allowed actions on an item, in a project that is not archived. */
export function allowedActions(kind: WorkItemKind, caller: Caller, role: ProjectRole | undefined): string[] {
  const canDo = (name: string) =>
    isAtLeast(role, MINIMUM_ROLES[name]!) || (caller.kind === 'client' && name === 'comment');
  return workItemActions[kind].allowedTo(caller, {}).filter(canDo);
}
