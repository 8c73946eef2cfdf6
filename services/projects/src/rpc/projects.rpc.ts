/** The methods of projects for other services. */
import { Id, serveMethods, sql } from '@suite/chassis';
import { type Project, ProjectsServiceDefinition } from '@suite/proto/projects/v1/projects';
import { z } from 'zod';
import { method } from '../operations.ts';

const MOST = 1_000;

/** Projects by their ids, as far as the caller sees them. */
export const batchGetProjects = method(ProjectsServiceDefinition.methods.batchGetProjects, {
  summary: 'Look up projects',
  visible: true,
  input: z.object({ project_ids: z.array(Id).max(MOST, `Send at most ${MOST} ids.`) }),
  handle: async ({ db, input }) => ({
    projects: await db.rows<Project>(sql`
      SELECT id AS project_id, code, name, currency, active, is_template FROM projects
      WHERE id = ANY(${input.project_ids}::uuid[])`),
  }),
});

export const projectsRpc = serveMethods(ProjectsServiceDefinition, { batchGetProjects });
