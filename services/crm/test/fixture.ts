/** The fixture of crm's tests: the service, its neighbours, and workspaces with a pipeline and people. */
import { randomUUID } from 'node:crypto';
import { audit } from '@suite/auditor';
import { everyPermission, type Member, type Rights, startReplicas } from '@suite/testing';
import { financeStandIn } from '@suite/testing/neighbours/finance';
import { inventoryStandIn } from '@suite/testing/neighbours/inventory';
import { platformStandIn, type Resident } from '@suite/testing/neighbours/platform';
import type { Customer } from '@suite/proto/finance/v1/finance';
import { checks } from '../src/audit/audit.ts';
import { crm } from '../src/crm.ts';

/** Every permission that crm asks for. */
export const everything = everyPermission(crm, 'proposal.accept_on_behalf', 'proposal.reject', 'customer.view');

/** A workspace with a default pipeline, people in it, a customer and something to sell. */
export interface Shop {
  workspace: string;
  /** A member who may do everything. */
  owner: Member;
  pipeline: { id: string };
  /** The ids of the stages by their names, in lower case. */
  leadStages: Record<string, string>;
  dealStages: Record<string, string>;
  member(rights?: Rights): Member;
  /** Registers somebody with platform; returns the user id. */
  hire(user?: Partial<Resident>): string;
  /** The stock of inventory in this workspace. */
  stock: ReturnType<ReturnType<typeof inventoryStandIn>['in']>;
  /** Its default warehouse. */
  warehouse_id: string;
  /** Registers a customer with finance; returns the id. */
  customer(more?: Partial<Customer>): string;
}

export async function openCrm(options: { replicas?: number } = {}) {
  const platform = platformStandIn();
  const inventory = inventoryStandIn();
  const finance = financeStandIn();
  const neighbours = { platform: platform.served, inventory: inventory.served, finance: finance.served };
  const { serving, others } = await startReplicas(crm, { neighbours, ...options });

  async function shop(): Promise<Shop> {
    const workspace = randomUUID();
    const hire: Shop['hire'] = (user) => platform.hire(workspace, user);
    const member = (rights: Rights = {}) => serving.member({ can: everything, workspace, ...rights });
    const owner = member({ user_id: hire({ name: 'Kim Example', kind: 'owner' }), name: 'Kim Example' });
    const { body } = await owner.post('/api/pipeline/create', { name: 'Sales' });
    const stages = async (path: string): Promise<Record<string, string>> => {
      const { data } = (await owner.get(path)).body;
      return Object.fromEntries(data.map(({ name, id }: { name: string; id: string }) => [name.toLowerCase(), id]));
    };
    const leadStages = await stages('/api/lead-stages');
    const dealStages = await stages('/api/deal-stages');
    const stock = inventory.in(workspace);
    const warehouse_id = stock.warehouse();
    const customer: Shop['customer'] = (more) => finance.customer(workspace, more);
    return {
      workspace,
      owner,
      pipeline: body.data,
      leadStages,
      dealStages,
      member,
      hire,
      stock,
      warehouse_id,
      customer,
    };
  }
  /** The auditor's findings in a workspace. */
  const violations = ({ workspace }: Shop) => audit(serving.database_url, checks, workspace);
  return { serving, neighbours, others, platform, inventory, finance, shop, violations };
}
