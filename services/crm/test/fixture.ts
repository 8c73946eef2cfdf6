/** Fixture of the crm tests: the service, fakes of other services, and workspaces with a pipeline and users. */
import { randomUUID } from 'node:crypto';
import { audit } from '@suite/auditor';
import { allPermissionsOf, type Member, type CallerOptions, startReplicas } from '@suite/testing';
import { fakeFinance } from '@suite/testing/fakes/finance';
import { fakeInventory } from '@suite/testing/fakes/inventory';
import { fakePlatform, type WorkspaceUser } from '@suite/testing/fakes/platform';
import type { Customer } from '@suite/proto/finance/v1/finance';
import { checks } from '../src/sales/sales/audit.ts';
import { crm } from '../src/crm.ts';

/** All permissions that crm checks. */
export const everything = allPermissionsOf(crm, 'proposal.accept_on_behalf', 'proposal.reject', 'customer.view');

/** Workspace of Kim Example, with the pipeline "Sales" and a warehouse, without customers and products. */
export interface Shop {
  workspace: string;
  /** Member with all permissions. */
  owner: Member;
  pipeline: { id: string };
  /** Stage IDs by lower-case name. */
  leadStages: Record<string, string>;
  dealStages: Record<string, string>;
  member(rights?: CallerOptions): Member;
  /** Registers a user with the platform fake. Returns the user ID. */
  hire(user?: Partial<WorkspaceUser>): string;
  /** Stock of inventory in this workspace. */
  stock: ReturnType<ReturnType<typeof fakeInventory>['in']>;
  /** Default warehouse. */
  warehouse_id: string;
  /** Registers a customer with finance. Returns the ID. */
  customer(more?: Partial<Customer>): string;
}

export async function openCrm(options: { replicas?: number } = {}) {
  const platform = fakePlatform();
  const inventory = fakeInventory();
  const finance = fakeFinance();
  const fakes = { platform: platform.served, inventory: inventory.served, finance: finance.served };
  const { serving, others } = await startReplicas(crm, { fakes, ...options });

  async function shop(): Promise<Shop> {
    const workspace = randomUUID();
    const hire: Shop['hire'] = (user) => platform.hire(workspace, user);
    const member = (rights: CallerOptions = {}) => serving.member({ can: everything, workspace, ...rights });
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
  /** Returns the auditor's findings in a workspace. */
  const violations = ({ workspace }: Shop) => audit(serving.database_url, checks, workspace);
  return { serving, fakes, others, platform, inventory, finance, shop, violations };
}
