/** The states of a project, and the rules that everything inside it keeps. */
import { fault, lifecycle } from '@suite/chassis';

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
    // Managers of a project change it, whatever else the caller sees.
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

/** Roles in a project, from the least to the most. */
export const PROJECT_ROLES = ['viewer', 'member', 'manager'] as const;
export type ProjectRole = (typeof PROJECT_ROLES)[number];

export const WrongProjectRole = fault(403, 'project_role', 'Your role in this project does not allow this.');
export const ProjectArchived = fault(409, 'project_archived', 'This project is archived. Restore it to change it.');
export const ProjectClosed = fault(409, 'project_closed', 'This project is closed. Reopen it to add to it.');

export const ProjectUnmanaged = fault(
  409,
  'last_manager',
  'A project needs at least one manager. Add another manager first.',
);

/** The faults that any change in a project can meet. */
export const projectFaults = [WrongProjectRole, ProjectArchived];

/** Whether a role is the one that something takes, or more. */
export const isAtLeast = (role: ProjectRole | undefined, needs: ProjectRole): boolean =>
  role !== undefined && PROJECT_ROLES.indexOf(role) >= PROJECT_ROLES.indexOf(needs);

/** @throws WrongProjectRole, with the role that it takes */
export function assertRole(role: ProjectRole | undefined, needs: ProjectRole): void {
  if (!isAtLeast(role, needs)) throw WrongProjectRole({ needs });
}

/** An archived project is read, and nothing else. @throws ProjectArchived */
export function assertActive({ active }: { active: boolean }): void {
  if (!active) throw ProjectArchived();
}

/** A project that is finished or cancelled takes no new tasks, bugs and time. */
export const isClosed = ({ status }: { status: string }): boolean => status === 'finished' || status === 'cancelled';

/** @throws ProjectClosed */
export function assertTakesWork({ status }: { status: string }): void {
  if (isClosed({ status })) throw ProjectClosed({ status });
}
