/** The fixture of projects' tests: the service, its neighbours, and new workspaces. */
import { randomUUID } from 'node:crypto';
import { audit } from '@suite/auditor';
import { everyPermission, type Member, type Rights, startReplicas } from '@suite/testing';
import { financeStandIn } from '@suite/testing/neighbours/finance';
import { inventoryStandIn } from '@suite/testing/neighbours/inventory';
import { platformStandIn, type Resident } from '@suite/testing/neighbours/platform';
import { checks } from '../src/audit/audit.ts';
import type { Db } from '../src/operations.ts';
import { projects } from '../src/projects.ts';
import { provideSettings } from '../src/settings/settings.ts';
import { provideStages } from '../src/stages/defaults.ts';

const modules = ['projects', 'lightproj', 'timetracker'];

/** Every permission that projects asks for. */
export const everything = everyPermission(
  projects,
  'report.view',
  'time.view_all',
  'stage.create',
  'stage.update',
  'stage.delete',
);

/** A workspace as it begins, with people in it. */
export interface Office {
  workspace: string;
  /** A member who may do everything. */
  owner: Member;
  /** A member with chosen rights, all by default, whom platform knows. */
  member(rights?: Rights): Member;
  /** Registers somebody with platform; returns the user id. */
  hire(user?: Partial<Resident>): string;
}

export async function openProjects(options: { replicas?: number } = {}) {
  const platform = platformStandIn();
  const finance = financeStandIn();
  const inventory = inventoryStandIn();
  const neighbours = { platform: platform.served, finance: finance.served, inventory: inventory.served };
  const { serving, others } = await startReplicas(projects, { neighbours, ...options });

  async function office(): Promise<Office> {
    const workspace = randomUUID();
    const hire: Office['hire'] = (user) => platform.hire(workspace, user);
    const member = (rights: Rights = {}) => {
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
  /** The auditor's findings in a workspace. */
  const violations = ({ workspace }: Office) => audit(serving.database_url, checks, workspace);
  return { serving, others, neighbours, platform, finance, inventory, office, violations };
}
