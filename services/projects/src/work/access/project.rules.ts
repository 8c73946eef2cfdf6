/** Statuses of a project, and the rules for everything in it. */
import { fault } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';

export const projectStates = lifecycle(
  'project',
  {
    not_started: { start: 'in_progress', cancel: 'cancelled' },
    in_progress: { hold: 'on_hold', finish: 'finished', cancel: 'cancelled' },
    on_hold: { resume: 'in_progress', cancel: 'cancelled' },
    finished: { reopen: 'in_progress' },
    cancelled: {},
  },
  {
    // Managers of a project change it, regardless of what else the caller sees.
    owner: null,
    actions: {
      start: 'project.update',
      hold: 'project.update',
      resume: 'project.update',
      finish: 'project.update',
      reopen: 'project.update',
      cancel: 'project.update',
      update: 'project.update',
      delete: 'project.delete',
    },
  },
);

/** Roles in a project, from the lowest to the highest. */
export const PROJECT_ROLES = ['viewer', 'member', 'manager'] as const;
export type ProjectRole = (typeof PROJECT_ROLES)[number];

export const WrongProjectRole = fault(
  403,
  'project_role',
  'Your role in this project does not allow this. Ask a manager of the project.',
);
export const ProjectArchived = fault(409, 'project_archived', 'This project is archived. Restore it to change it.');
export const ProjectClosed = fault(409, 'project_closed', 'This project is closed. Reopen it to add to it.');

export const ProjectUnmanaged = fault(
  409,
  'last_manager',
  'A project needs at least one manager. Add another manager first.',
);

/** Faults of any change in a project. */
export const projectFaults = [WrongProjectRole, ProjectArchived];

/** Checks that a role is at least the required one. */
export const isAtLeast = (role: ProjectRole | undefined, needs: ProjectRole): boolean =>
  role !== undefined && PROJECT_ROLES.indexOf(role) >= PROJECT_ROLES.indexOf(needs);

/** Checks the caller's role. @throws WrongProjectRole with the required role */
export function assertRole(role: ProjectRole | undefined, needs: ProjectRole): void {
  if (!isAtLeast(role, needs)) throw WrongProjectRole({ needs });
}

/** Rejects changes in an archived project. @throws ProjectArchived */
export function assertActive({ active }: { active: boolean }): void {
  if (!active) throw ProjectArchived();
}

/** Returns true if the project is finished or cancelled, so that it accepts no new tasks, bugs or time. */
export const isClosed = ({ status }: { status: string }): boolean => status === 'finished' || status === 'cancelled';

/** @throws ProjectClosed */
export function assertAcceptsWork({ status }: { status: string }): void {
  if (isClosed({ status })) throw ProjectClosed({ status });
}
