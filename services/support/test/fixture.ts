/** The fixture of support's tests: the service, its neighbours, and new workspaces. */
import { randomUUID } from 'node:crypto';
import { audit } from '@suite/auditor';
import { everyPermission, type Member, type Rights, startReplicas } from '@suite/testing';
import { financeStandIn } from '@suite/testing/neighbours/finance';
import { platformStandIn, type Resident } from '@suite/testing/neighbours/platform';
import { checks } from '../src/audit/audit.ts';
import type { Db } from '../src/operations.ts';
import { support } from '../src/support.ts';
import { provideSettings } from '../src/settings/settings.ts';
import { provideCannedReplies } from '../src/canned/defaults.ts';
import { providePolicy } from '../src/sla/defaults.ts';
import { provideCategories } from '../src/categories/defaults.ts';

const modules = ['support'];

/** Every permission that the support desk asks for. */
export const everything = everyPermission(support, 'report.view');

/** A workspace as it begins, with people in it. */
export interface Office {
  workspace: string;
  /** A member who may do everything. */
  owner: Member;
  /** A member with chosen rights, all by default, whom platform knows. */
  member(rights?: Rights): Member;
  /** Registers somebody with platform, who may do everything there by default; returns the user id. */
  hire(user?: Partial<Resident>, permissions?: string[]): string;
}

export async function openSupport(options: { replicas?: number } = {}) {
  const platform = platformStandIn();
  const finance = financeStandIn();
  const neighbours = { platform: platform.served, finance: finance.served };
  const { serving, others } = await startReplicas(support, { neighbours, ...options });

  async function office(): Promise<Office> {
    const workspace = randomUUID();
    const hire: Office['hire'] = (user, permissions = [...everything]) => {
      const user_id = platform.hire(workspace, user);
      platform.rights.set(user_id, { permissions });
      return user_id;
    };
    const member = (rights: Rights = {}) => {
      const who = { kind: rights.kind ?? 'staff', name: rights.name ?? 'Robin Example' };
      const user_id = rights.user_id ?? hire(who, rights.can && [...rights.can]);
      return serving.member({ can: everything, workspace, modules, ...rights, user_id });
    };
    const owner = member({ kind: 'owner', name: 'Kim Example' });
    const context = { workspace_id: workspace, caller: null, operation: 'test', request_id: randomUUID() };
    await serving.database.write(context, async (confined) => {
      const db = confined as Db;
      await provideSettings(db);
      await provideCategories(db);
      await provideCannedReplies(db);
      await providePolicy(db, 'Europe/Berlin');
    });
    return { workspace, owner, member, hire };
  }
  /** The auditor's findings in a workspace. */
  const violations = ({ workspace }: Office) => audit(serving.database_url, checks, workspace);
  return { serving, others, neighbours, platform, finance, office, violations };
}
