/** Fixture of support's tests: the service, its fakes, and new workspaces. */
import { randomUUID } from 'node:crypto';
import { audit } from '@suite/auditor';
import { allPermissionsOf, type Member, type CallerOptions, startReplicas } from '@suite/testing';
import { fakeFinance } from '@suite/testing/fakes/finance';
import { fakePlatform, type WorkspaceUser } from '@suite/testing/fakes/platform';
import { checks } from '../src/audit/audit.ts';
import type { Db } from '../src/operations.ts';
import { support } from '../src/support.ts';
import { provideSettings } from '../src/settings/settings/settings.ts';
import { provideCannedReplies } from '../src/tickets/canned/default-replies.ts';
import { providePolicy } from '../src/sla/sla/default-policy.ts';
import { provideCategories } from '../src/tickets/categories/default-categories.ts';

const modules = ['support'];

/** All permissions that support requires. */
export const allPermissions = allPermissionsOf(support, 'report.view');

/** New workspace with users. */
export interface Office {
  workspace: string;
  /** Member with all permissions. */
  owner: Member;
  /** Creates a member with the given permissions, registered in platform. Defaults to all permissions. */
  member(rights?: CallerOptions): Member;
  /** Registers a user with platform, with all permissions by default. Returns the user ID. */
  hire(user?: Partial<WorkspaceUser>, permissions?: string[]): string;
}

export async function openSupport(options: { replicas?: number } = {}) {
  const platform = fakePlatform();
  const finance = fakeFinance();
  const fakes = { platform: platform.served, finance: finance.served };
  const { serving, others } = await startReplicas(support, { fakes, ...options });

  async function office(): Promise<Office> {
    const workspace = randomUUID();
    const hire: Office['hire'] = (user, permissions = [...allPermissions]) => {
      const user_id = platform.hire(workspace, user);
      platform.rights.set(user_id, { permissions, modules });
      return user_id;
    };
    const member = (rights: CallerOptions = {}) => {
      const user = { kind: rights.kind ?? 'staff', name: rights.name ?? 'Robin Example' };
      const user_id = rights.user_id ?? hire(user, rights.can && [...rights.can]);
      return serving.member({ can: allPermissions, workspace, modules, ...rights, user_id });
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
  /** Returns the auditor's findings in a workspace. */
  const violations = ({ workspace }: Office) => audit(serving.database_url, checks, workspace);
  return { serving, others, fakes, platform, finance, office, violations };
}
