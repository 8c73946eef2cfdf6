/** Request and response schemas of the light module's project operations. */
import { choice, Day, Id, idCheckedBy, idOf, input, ShortText, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { AvatarUrl } from '@suite/user-copies';
import { z } from 'zod';
import { Activity } from '../../work/activities/activity.schema.ts';
import { Health, Project, ProjectStatus, ProjectStatusRequest } from '../../projects/projects/project.schema.ts';
import { OBJECT_TYPES } from '../../work/activities/activity.ts';

/** One value, or several alternatives. */
const oneOf = <S extends z.ZodType>(schema: S) => z.union([schema, z.array(schema).min(1).max(100)]).optional();

/** ID of a list filter. The list contains only records visible to the caller. */
const Listed = idCheckedBy('the list');

const paging = {
  page: z.int().min(1).max(500).optional().describe('Page number, starting at 1.'),
  per_page: z.int().min(1).max(100).optional(),
  sort: ShortText(200).min(1).optional().describe('Sort fields, as in the query string of the list.'),
};

export const ProjectListRequest = input({
  ...paging,
  q: ShortText(200).optional(),
  status: oneOf(ProjectStatus),
  member_id: oneOf(Listed),
  client_id: oneOf(Listed),
  customer_id: oneOf(Listed),
  health: oneOf(Health),
  tags: oneOf(ShortText(50).min(1)),
  active: z.boolean().optional(),
  is_template: z.boolean().optional(),
  is_overdue: z.boolean().optional(),
  start_date_from: Day.optional(),
  start_date_to: Day.optional(),
  end_date_from: Day.optional(),
  end_date_to: Day.optional(),
});

export const ProjectReference = input({ id: idOf('projects') });

export const StatusRequest = input({ id: idOf('projects'), status: ProjectStatusRequest, version });

export const ActivityRequest = input({
  ...paging,
  project_id: idOf('projects'),
  object: oneOf(choice(...OBJECT_TYPES)),
  actor_id: oneOf(Listed),
});

const count = z.int();

export const ProjectsHome = z
  .object({
    today: Day,
    projects: z
      .object({
        total: count,
        not_started: count,
        in_progress: count,
        on_hold: count,
        finished: count,
        cancelled: count,
      })
      .describe('Number of projects by status, without archived projects and templates.'),
    tasks: z.object({
      open: count,
      completed_this_week: count,
      overdue: count,
      due_today: count,
      mine_open: count,
      mine_overdue: count,
    }),
    bugs: z.object({ open: count, mine_open: count }),
    recent_projects: z.array(
      Project.pick({ id: true, code: true, name: true, status: true, color: true, progress: true }),
    ),
    my_tasks: z.array(
      z.object({
        id: Id,
        key: z.string(),
        title: z.string(),
        project_id: Id,
        project_name: z.string(),
        priority: choice('low', 'medium', 'high', 'urgent'),
        due_date: Day.nullable(),
        is_overdue: z.boolean(),
      }),
    ),
    activity: z.array(Activity),
  })
  .meta({ id: 'ProjectsHome' });

/** User who can be added to a project or a task. */
export const ProjectUser = z
  .object({
    id: Id,
    name: z.string(),
    email: z.string().nullable().describe('E-mail address. `null` for clients.'),
    kind: choice('owner', 'staff', 'client', 'vendor'),
    avatar_url: AvatarUrl,
  })
  .meta({ id: 'ProjectUser' });

export const ProjectUserFilter = list(ProjectUser.extend({ updated_at: Project.shape.updated_at }), {
  filter: ['kind'],
  through: { project_id: { table: 'project_members', key: 'user_id', column: 'project_id' } },
  sort: ['name'],
  search: true,
});
