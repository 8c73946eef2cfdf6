/** What the tests of finance stand on: the service, its neighbours, and workspaces with open books. */
import { randomUUID } from 'node:crypto';
import type { Emit } from '@suite/chassis';
import { type Member, type Rights, type Serving, start } from '@suite/testing';
import { booksOf } from '../src/books/books.ts';
import { finance } from '../src/finance.ts';
import type { Db, CommandContext } from '../src/operations.ts';
import { standInInventory } from './inventory.ts';
import { standInPlatform } from './platform.ts';

const basic = ['view', 'create', 'update', 'delete'];
const permissions: Record<string, string[]> = {
  sales_invoice: [...basic, 'post'],
  sales_return: [...basic, 'approve', 'complete'],
  purchase_invoice: [...basic, 'post'],
  purchase_return: [...basic, 'approve', 'complete'],
  customer: basic,
  vendor: basic,
  bank_account: basic,
  revenue: [...basic, 'approve', 'post'],
  expense: [...basic, 'approve', 'post'],
  ledger: ['view', 'lock'],
  commission: ['view', 'update'],
};

/** Every permission that finance asks for. */
export const everything = Object.entries(permissions).flatMap(([noun, verbs]) =>
  verbs.map((verb) => `${noun}.${verb}`),
);

const modules = ['accounting', 'invoicing', 'purchasing', 'sales_agent', 'api_v1'];

/** A workspace with open books, and people in it. */
export interface Company {
  workspace: string;
  /** Somebody who may do everything. */
  owner: Member;
  member(rights?: Rights): Member;
  /** Works in its books as the boss does, in one transaction. */
  work<T>(work: (given: CommandContext) => Promise<T>): Promise<T>;
}

export async function openFinance(options: { replicas?: number } = {}) {
  const inventory = standInInventory();
  const platform = standInPlatform();
  const neighbours = { inventory: inventory.served, platform: platform.served };
  const serving = await start(finance, { neighbours });
  const others: Serving[] = [];
  for (let n = 1; n < (options.replicas ?? 1); n += 1)
    others.push(await start(finance, { neighbours, replicaOf: serving }));

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
    return { workspace, owner, member, work };
  }
  return { serving, neighbours, others, inventory, platform, company };
}
