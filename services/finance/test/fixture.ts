/** The fixture of finance's tests: the service, its neighbours, and workspaces with open books. */
import { randomUUID } from 'node:crypto';
import type { Emit } from '@suite/chassis';
import { everyPermission, type Member, type Rights, startReplicas } from '@suite/testing';
import { crmStandIn } from '@suite/testing/neighbours/crm';
import { inventoryStandIn } from '@suite/testing/neighbours/inventory';
import { platformStandIn } from '@suite/testing/neighbours/platform';
import { projectsStandIn } from '@suite/testing/neighbours/projects';
import { booksOf } from '../src/books/books.ts';
import { finance } from '../src/finance.ts';
import type { Db, CommandContext } from '../src/operations.ts';

/** Every permission that finance asks for, also those of other services that a link to the portal takes. */
export const everything = [...everyPermission(finance), 'proposal.view'];

const modules = ['accounting', 'invoicing', 'purchasing', 'sales_agent', 'api_v1'];

/** A workspace with open books, and people in it. */
export interface Company {
  workspace: string;
  /** A member who may do everything. */
  owner: Member;
  member(rights?: Rights): Member;
  /** Works in its books as the boss does, in one transaction. */
  work<T>(work: (given: CommandContext) => Promise<T>): Promise<T>;
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
