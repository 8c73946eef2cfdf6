/** Fixture of the projects tests: the service, fakes of other services, and new workspaces. */
import { randomUUID } from 'node:crypto';
import { audit } from '@suite/auditor';
import { allPermissionsOf, type Member, type CallerOptions, startReplicas } from '@suite/testing';
import { fakeFinance } from '@suite/testing/fakes/finance';
import { fakeInventory } from '@suite/testing/fakes/inventory';
import { fakePlatform, type WorkspaceUser } from '@suite/testing/fakes/platform';
import { checks } from '../src/audit/audit.ts';
import type { Db } from '../src/operations.ts';
import { projects } from '../src/projects.ts';
import { provideSettings } from '../src/work/settings/settings.ts';
import { provideStages } from '../src/work/stages/defaults.ts';

const modules = ['projects', 'lightproj', 'timetracker'];

/** All permissions that projects checks. */
export const everything = allPermissionsOf(
  projects,
  'report.view',
  'time.view_all',
  'stage.create',
  'stage.update',
  'stage.delete',
);

/** New workspace with users. */
export interface ProjectsFixture {
  workspace: string;
  /** Member with all permissions. */
  owner: Member;
  /** Creates a member with the given permissions, registered in platform. Defaults to all permissions. */
  member(rights?: CallerOptions): Member;
  /** Registers a user with the platform fake. Returns the user ID. */
  hire(user?: Partial<WorkspaceUser>): string;
}

export async function openProjects(options: { replicas?: number } = {}) {
  const platform = fakePlatform();
  const finance = fakeFinance();
  const inventory = fakeInventory();
  const fakes = { platform: platform.served, finance: finance.served, inventory: inventory.served };
  const { serving, others } = await startReplicas(projects, { fakes, ...options });

  async function office(): Promise<ProjectsFixture> {
    const workspace = randomUUID();
    const hire: ProjectsFixture['hire'] = (user) => platform.hire(workspace, user);
    const member = (rights: CallerOptions = {}) => {
      const user_id = rights.user_id ?? hire({ kind: rights.kind ?? 'staff', name: rights.name ?? 'Robin Example' });
      const { can = everything, record_scopes = {}, modules: has = modules } = rights;
      platform.rights.set(user_id, { permissions: [...can], record_scopes: { ...record_scopes }, modules: [...has] });
      return serving.member({ can: everything, workspace, modules, ...rights, user_id });
    };
    const owner = member({ kind: 'owner', name: 'Kim Example' });
    const context = { workspace_id: workspace, caller: null, operation: 'test', request_id: randomUUID() };
    await serving.database.write(context, async (confined) => {
      const db = confined as Db;
      await provideSettings(db);
      await provideStages(db);
    });
    return { workspace, owner, member, hire };
  }
  /** Returns the auditor's findings in a workspace. */
  const violations = ({ workspace }: ProjectsFixture) => audit(serving.database_url, checks, workspace);
  return { serving, others, fakes, platform, finance, inventory, office, violations };
}
