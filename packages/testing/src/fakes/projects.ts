/** Fake of projects for other services: projects by workspace. */
import { randomUUID } from 'node:crypto';
import { type Project, ProjectsServiceDefinition } from '@suite/proto/projects/v1/projects';
import { rowsOf, fakeServer } from './fake-server.ts';

/** Creates the fake of projects, with its settings for tests. */
export function fakeProjects() {
  const projects = new Map<string, Project & { workspace: string }>();
  const served = fakeServer(ProjectsServiceDefinition, {
    batchGetProjects: async ({ project_ids }, { caller }) => ({
      projects: rowsOf(projects, caller?.workspace_id, project_ids),
    }),
  });
  return {
    served,
    /** Creates a project in a workspace. Returns its ID. */
    project(workspace: string, more: Partial<Project> = {}): string {
      const project_id = randomUUID();
      const usual = { code: 'WEB', name: 'Website', currency: 'EUR', active: true, is_template: false };
      projects.set(project_id, { project_id, ...usual, ...more, workspace });
      return project_id;
    },
  };
}
