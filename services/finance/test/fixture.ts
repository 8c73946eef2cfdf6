/** Fixture of the finance tests: the service, fakes of other services, and workspaces with books. */
import { randomUUID } from 'node:crypto';
import type { Emit } from '@suite/chassis/operations';
import { allPermissionsOf, type Member, type CallerOptions, startReplicas } from '@suite/testing';
import { fakeCrm } from '@suite/testing/fakes/crm';
import { fakeInventory } from '@suite/testing/fakes/inventory';
import { fakePlatform } from '@suite/testing/fakes/platform';
import { fakeProjects } from '@suite/testing/fakes/projects';
import { booksOf } from '../src/ledger/books/books.ts';
import { finance } from '../src/finance.ts';
import type { Db, CommandContext } from '../src/operations.ts';

/** All permissions that finance requires, including permissions of other services that a portal link needs. */
export const everything = [...allPermissionsOf(finance), 'proposal.view'];

const modules = ['accounting', 'invoicing', 'purchasing', 'sales_agent', 'api_v1'];

/** Workspace with open books and users. */
export interface Company {
  workspace: string;
  /** Member with all permissions. */
  owner: Member;
  member(rights?: CallerOptions): Member;
  /** Runs a function as the owner, in one transaction. */
  transact<T>(run: (context: CommandContext) => Promise<T>): Promise<T>;
}

export async function openFinance(options: { replicas?: number } = {}) {
  const inventory = fakeInventory();
  const platform = fakePlatform();
  const projects = fakeProjects();
  const crm = fakeCrm();
  const fakes = {
    inventory: inventory.served,
    platform: platform.served,
    projects: projects.served,
    crm: crm.served,
  };
  const { serving, others } = await startReplicas(finance, { fakes, ...options });

  async function company(): Promise<Company> {
    const workspace = randomUUID();
    const member = (rights: CallerOptions = {}) => serving.member({ can: everything, modules, workspace, ...rights });
    const owner = member({ name: 'Kim Example', kind: 'owner' });
    const { caller } = owner;
    const transact: Company['transact'] = (run) =>
      serving.database.write(
        { workspace_id: workspace, caller, operation: 'test', request_id: randomUUID() },
        (db, emit: Emit) => run({ db: db as Db, caller, emit }),
      );
    await transact(({ db }) => booksOf(db, caller));
    inventory.in(workspace).warehouse();
    return { workspace, owner, member, transact };
  }
  return { serving, fakes, others, inventory, platform, projects, crm, company };
}
