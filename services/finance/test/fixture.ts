/** Fixture of the finance tests: the service, fakes of other services, and workspaces with books. */
import { randomUUID } from 'node:crypto';
import type { Emit } from '@suite/chassis/operations';
import { everyPermission, type Member, type Rights, startReplicas } from '@suite/testing';
import { crmStandIn } from '@suite/testing/neighbours/crm';
import { inventoryStandIn } from '@suite/testing/neighbours/inventory';
import { platformStandIn } from '@suite/testing/neighbours/platform';
import { projectsStandIn } from '@suite/testing/neighbours/projects';
import { booksOf } from '../src/ledger/books/books.ts';
import { finance } from '../src/finance.ts';
import type { Db, CommandContext } from '../src/operations.ts';

/** All permissions that finance requires, including permissions of other services that a portal link needs. */
export const everything = [...everyPermission(finance), 'proposal.view'];

const modules = ['accounting', 'invoicing', 'purchasing', 'sales_agent', 'api_v1'];

/** Workspace with open books and users. */
export interface Company {
  workspace: string;
  /** Member with all permissions. */
  owner: Member;
  member(rights?: Rights): Member;
  /** Runs a function as the owner, in one transaction. */
  work<T>(work: (context: CommandContext) => Promise<T>): Promise<T>;
}

export async function openFinance(options: { replicas?: number } = {}) {
  const inventory = inventoryStandIn();
  const platform = platformStandIn();
  const projects = projectsStandIn();
  const crm = crmStandIn();
  const neighbours = {
    inventory: inventory.served,
    platform: platform.served,
    projects: projects.served,
    crm: crm.served,
  };
  const { serving, others } = await startReplicas(finance, { neighbours, ...options });

  async function company(): Promise<Company> {
    const workspace = randomUUID();
    const member = (rights: Rights = {}) => serving.member({ can: everything, modules, workspace, ...rights });
    const owner = member({ name: 'Kim Example', kind: 'owner' });
    const { caller } = owner;
    const work: Company['work'] = (does) =>
      serving.database.write(
        { workspace_id: workspace, caller, operation: 'test', request_id: randomUUID() },
        (db, emit: Emit) => does({ db: db as Db, caller, emit }),
      );
    await work(({ db }) => booksOf(db, caller));
    inventory.in(workspace).warehouse();
    return { workspace, owner, member, work };
  }
  return { serving, neighbours, others, inventory, platform, projects, crm, company };
}
