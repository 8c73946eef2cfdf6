/** What the tests of crm stand on: the service, its neighbours, and workspaces with a pipeline and people. */
import { randomUUID } from 'node:crypto';
import { audit } from '@suite/auditor';
import { Fault, invalid, serveRpc } from '@suite/chassis';
import { type Member, type Rights, start } from '@suite/testing';
import type { Customer } from '@suite/proto/finance/v1/finance';
import { PlatformServiceDefinition, type User } from '@suite/proto/platform/v1/platform';
import { checks } from '../src/audit/audit.ts';
import { crm } from '../src/crm.ts';
import { financeStandIn } from './finance.ts';
import { inventoryStandIn } from './inventory.ts';

const basic = ['view', 'create', 'update', 'delete'];
const nouns = [
  'lead',
  'deal',
  'pipeline',
  'stage',
  'label',
  'source',
  'opportunity',
  'quote',
  'sales_order',
  'meeting',
  'proposal',
];
const named = [
  'lead.convert',
  'proposal.send',
  'proposal.accept_on_behalf',
  'proposal.reject',
  'proposal.convert',
  'customer.view',
  'product.view',
];

/** Every permission that crm asks for. */
export const everything = [...nouns.flatMap((noun) => basic.map((verb) => `${noun}.${verb}`)), ...named];

/** Somebody whom platform knows. */
interface Resident extends User {
  workspace_id: string;
}

/** Platform, as far as crm asks it. */
function standIn() {
  const residents = new Map<string, Resident>();
  const calls: string[] = [];
  const letters = {
    asked: 0,
    down: false,
    head: { name: 'Northwind GmbH', address: 'Speicherstraße 12\n20457 Hamburg' },
  };
  const served = serveRpc(PlatformServiceDefinition, {
    introspect: () => Promise.reject(new Error('crm does not introspect.')),
    async batchGetUsers({ user_ids }, { caller }) {
      calls.push('batchGetUsers');
      const found = user_ids.map((id) => residents.get(id)).filter((user) => user !== undefined);
      return { users: found.filter(({ workspace_id }) => workspace_id === caller?.workspace_id) };
    },
    async ensureClientUser({ name, email, phone }, { caller }) {
      calls.push(`ensureClientUser ${email}`);
      const workspace_id = caller?.workspace_id ?? '';
      const known = [...residents.values()].find((user) => user.email === email && user.workspace_id === workspace_id);
      if (known && known.kind !== 'client')
        throw invalid('email', 'This address belongs to somebody who is not a client.');
      if (known) return { user: known, created: false };
      const user = { user_id: randomUUID(), name, email, phone, kind: 'client', status: 'invited', workspace_id };
      residents.set(user.user_id, user);
      return { user, created: true };
    },
    async getLetterhead() {
      if (letters.down) throw new Fault(503, 'platform_unavailable', 'The platform service does not answer.');
      letters.asked += 1;
      return letters.head;
    },
  });
  return { residents, calls, letters, served };
}

/** A workspace with a default pipeline, people in it, a customer and something to sell. */
export interface Shop {
  workspace: string;
  /** Somebody who may do everything. */
  owner: Member;
  pipeline: { id: string };
  /** The ids of the stages by their names, in lower case. */
  leadStages: Record<string, string>;
  dealStages: Record<string, string>;
  member(rights?: Rights): Member;
  /** Registers somebody with platform; returns the user id. */
  hire(user?: Partial<Resident>): string;
  /** What inventory has in this workspace. */
  stock: ReturnType<ReturnType<typeof inventoryStandIn>['in']>;
  /** Its default warehouse. */
  warehouse_id: string;
  /** Registers a customer with finance; returns the id. */
  customer(more?: Partial<Customer>): string;
}

export async function openCrm(options: { replicas?: number } = {}) {
  const platform = standIn();
  const inventory = inventoryStandIn();
  const finance = financeStandIn();
  const neighbours = { platform: platform.served, inventory: inventory.served, finance: finance.served };
  const serving = await start(crm, { neighbours });
  const others = [];
  for (let n = 1; n < (options.replicas ?? 1); n += 1)
    others.push(await start(crm, { neighbours, replicaOf: serving }));

  async function shop(): Promise<Shop> {
    const workspace = randomUUID();
    const hire: Shop['hire'] = (user = {}) => {
      const user_id = user.user_id ?? randomUUID();
      const person = {
        user_id,
        name: 'Robin Example',
        email: `${user_id}@example.com`,
        kind: 'staff',
        status: 'active',
        phone: '',
      };
      platform.residents.set(user_id, { ...person, ...user, workspace_id: workspace });
      return user_id;
    };
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
  /** What the auditor finds in a workspace. */
  const violations = ({ workspace }: Shop) => audit(serving.database_url, checks, workspace);
  return { serving, neighbours, others, platform, inventory, finance, shop, violations };
}
