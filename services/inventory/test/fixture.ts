/** Fixture of the inventory tests: the service, workspaces with a warehouse, and gRPC callers. */
import { randomUUID } from 'node:crypto';
import { audit } from '@suite/auditor';
import {
  allPermissionsOf,
  type Member,
  methodClients,
  type CallerOptions,
  type ServiceUnderTest,
  startReplicas,
} from '@suite/testing';
import { fakeFinance } from '@suite/testing/fakes/finance';
import { fakePlatform } from '@suite/testing/fakes/platform';
import { InventoryServiceDefinition, type IssueLine, type ReceiveLine } from '@suite/proto/inventory/v1/inventory';
import { checks } from '../src/audit/audit.ts';
import { inventory } from '../src/inventory.ts';
import { inventoryRpc } from '../src/rpc/inventory.rpc.ts';

/** All permissions that inventory requires. */
export const everything = allPermissionsOf(inventory);

const modules = ['products', 'warehouse', 'pos'];

/** Returns the violations that the auditor finds in all workspaces. */
export const auditViolations = ({ database_url }: ServiceUnderTest) => audit(database_url, checks);

/** Returns a gRPC client of inventory for a workspace member, as a service with access to each method. */
export const rpcOf = (serving: ServiceUnderTest, { caller }: Member) =>
  methodClients(serving, { ...inventoryRpc, definition: InventoryServiceDefinition })(caller);

export type InventoryRpc = ReturnType<typeof rpcOf>;

/** Workspace with a default warehouse and another warehouse. */
export interface Shop {
  workspace: string;
  /** Member with all permissions. */
  owner: Member;
  /** ID of the default warehouse. */
  warehouse: string;
  other: string;
  rpc: InventoryRpc;
  member(rights?: CallerOptions): Member;
  /** Creates a tax. Returns its ID. */
  tax(body: { name: string; rate: string; inclusive?: boolean }): Promise<string>;
  /** Creates a chair with the given stock in the default warehouse, by default at a unit cost of 1. Returns its ID. */
  product(body?: object, stock?: { qty: string; unit_cost?: string }): Promise<string>;
  /** Returns the stock level of a product. */
  level(
    product_id: string,
    warehouse_id?: string,
  ): Promise<{ on_hand: string; reserved: string; value: string } | undefined>;
  add(product_id: string, qty: string, more?: object): Promise<void>;
}

/** Returns a gRPC request of an invoice of 15 January 2026: a line for each product, by default of one piece. */
export const issueOf = (key: string, lines: (Partial<IssueLine> & { product_id: string; warehouse_id: string })[]) => ({
  idempotency_key: key,
  source: { type: 'sales_invoice', id: key, number: '' },
  business_date: '2026-01-15',
  lines: lines.map((line, at) => ({ line_id: `line ${at}`, qty: '1', reserved_line_id: '', ...line })),
  dry_run: false,
  reserved_for: undefined as { type: string; id: string; number: string } | undefined,
});

/**
 * Returns a gRPC request of a bill of 15 January 2026: a line for each product, by default one piece at a cost of 1.
 */
export const receiptOf = (
  key: string,
  lines: (Partial<ReceiveLine> & { product_id: string; warehouse_id: string })[],
) => ({
  idempotency_key: key,
  source: { type: 'purchase_invoice', id: key, number: '' },
  business_date: '2026-01-15',
  lines: lines.map((line, at) => ({ line_id: `line ${at}`, qty: '1', cost: '1', ...line })),
  dry_run: false,
});

export async function openInventory(options: { replicas?: number } = {}) {
  const finance = fakeFinance();
  const platform = fakePlatform();
  const fakes = { finance: finance.served, platform: platform.served };
  const { serving, others } = await startReplicas(inventory, { fakes, ...options });

  async function shop(): Promise<Shop> {
    const workspace = randomUUID();
    const member = (rights: CallerOptions = {}) => serving.member({ can: everything, modules, workspace, ...rights });
    const owner = member();
    const make = async (path: string, body: object): Promise<string> => {
      const { status, body: answer } = await owner.post(path, body);
      if (status !== 201) throw new Error(`${path} answered ${status} ${JSON.stringify(answer)}`);
      return answer.data.id;
    };
    const warehouse = await make('/api/warehouse/create', { name: 'Main', code: 'MAIN' });
    const other = await make('/api/warehouse/create', { name: 'Annex', code: 'ANNEX' });
    const add: Shop['add'] = async (product_id, qty, more = {}) =>
      void (await make('/api/product-stock/add', { product_id, qty, ...more }));
    const product: Shop['product'] = async (body = {}, stock) => {
      const id = await make('/api/product/create', { name: 'Chair', sku: randomUUID(), ...body });
      if (stock) await add(id, stock.qty, { unit_cost: stock.unit_cost ?? '1' });
      return id;
    };
    const tax: Shop['tax'] = (body) => make('/api/tax/create', body);
    const level: Shop['level'] = async (product_id, warehouse_id = warehouse) => {
      const [row] = await serving.sql<{ on_hand: string; reserved: string; value: string }>`
        SELECT trim_scale(on_hand)::text AS on_hand, trim_scale(reserved)::text AS reserved, trim_scale(value)::text AS value
        FROM stock_levels WHERE product_id = ${product_id} AND warehouse_id = ${warehouse_id}`;
      return row;
    };
    return { workspace, owner, warehouse, other, rpc: rpcOf(serving, owner), member, tax, product, level, add };
  }
  return { serving, fakes, others, finance, platform, shop };
}
