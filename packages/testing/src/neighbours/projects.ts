/** Projects, as far as its neighbours ask it: projects by workspace. */
import { randomUUID } from 'node:crypto';
import { type Project, ProjectsServiceDefinition } from '@suite/proto/projects/v1/projects';
import { rowsOf, standIn } from './stand-in.ts';

/** The stand-in of projects, and what a test may set on it. */
export function projectsStandIn() {
  const projects = new Map<string, Project & { workspace: string }>();
  const served = standIn(ProjectsServiceDefinition, {
    batchGetProjects: async ({ project_ids }, { caller }) => ({
      projects: rowsOf(projects, caller?.workspace_id, project_ids),
    }),
  });
  return {
    served,
    /** Makes a project in a workspace. Returns its id. */
    project(workspace: string, more: Partial<Project> = {}): string {
      const project_id = randomUUID();
      const usual = { code: 'WEB', name: 'Website', currency: 'EUR', active: true, is_template: false };
      projects.set(project_id, { project_id, ...usual, ...more, workspace });
      return project_id;
    },
  };
}
