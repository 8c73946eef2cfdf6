/** Finance demo, created once for each workspace without customers. */
import { randomUUID } from 'node:crypto';
import { type Database, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { seedRandom, type DemoUser, type DemoWorkspace } from '@suite/demo';
import { booksOf } from '../ledger/books/books.ts';
import type { Db, CommandContext } from '../operations.ts';
import { addMonths } from './demo-months.ts';
import { addParties, openBanks } from './demo-parties.ts';
import { addAgents } from './demo-agents.ts';

interface DemoSize {
  seed: number;
  customers: number;
  vendors: number;
  months: number;
}

const LARGE: DemoSize = { seed: 21, customers: 40, vendors: 15, months: 6 };
const SMALL: DemoSize = { seed: 22, customers: 6, vendors: 4, months: 2 };

/** Returns the bookkeeper of the demo: the workspace owner. */
function bookkeeper({ id: workspace_id, currency, users }: DemoWorkspace): Caller {
  const { id: user_id, name: user_name, kind, role } = users.find((user) => user.kind === 'owner') ?? users[0]!;
  const rights = { permissions: [], record_scopes: {}, modules: [] };
  return { user_id, user_name, kind, role, workspace_id, timezone: 'UTC', currency, ...rights };
}

/**
 * Opens the books, which platform's events also do. A separate transaction, so that events do not wait for the whole
 * demo.
 */
const prepare = (db: Db, caller: Caller) => booksOf(db, caller);

/** Fills a workspace. Returns the number of journal entries: 0 if there are already customers. */
async function fill(
  command: CommandContext & { caller: Caller },
  size: DemoSize,
  users: readonly DemoUser[],
): Promise<number> {
  const { db } = command;
  // Serializes concurrent runs on one workspace, so that the later one finds the customers.
  await db.rows(sql`SELECT base_currency FROM books FOR UPDATE`);
  if ((await db.customer.count()) > 0) return 0;
  const before = await db.journalEntry.count();
  seedRandom(size.seed);
  const context = { command, now: clock.now() };
  const banks = await openBanks(context);
  const customers = await addParties(context, 'customer', size.customers);
  const vendors = await addParties(context, 'vendor', size.vendors);
  await addAgents(context, users);
  await addMonths(context, size.months, { customers, vendors, banks });
  return (await db.journalEntry.count()) - before;
}

/** Fills the first workspace with half a year of bookkeeping and the others with a few records. Returns a summary. */
export async function seedDemo(database: Database<Db>, workspaces: readonly DemoWorkspace[]): Promise<string> {
  let made = 0;
  for (const [index, workspace] of workspaces.entries()) {
    const caller = bookkeeper(workspace);
    const context = { workspace_id: workspace.id, caller, operation: 'cli:demo', request_id: randomUUID() };
    const size = index === 0 ? LARGE : SMALL;
    await database.write(context, (db) => prepare(db, caller));
    made += await database.write(context, (db, emit) => fill({ db, emit, caller }, size, workspace.users));
  }
  return made > 0
    ? `The demo has ${made} journal entries, with customers and vendors.`
    : 'The demo has its books already.';
}
