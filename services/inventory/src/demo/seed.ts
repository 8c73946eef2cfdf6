/** Demo catalogue, stock and POS orders, created once for each workspace without products. */
import { randomUUID } from 'node:crypto';
import type { Database } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { seedRandom, type DemoWorkspace } from '@suite/demo';
import { type CommandContext, type Db, serializeOn } from '../operations.ts';
import { provideDefaults } from '../catalogue/defaults.ts';
import { type DemoVolume, loseGoods, moveGoods, sellGoods } from './demo-transactions.ts';
import { openWarehouses, stockShelves } from './demo-stock.ts';
import { WARES } from './demo-products.ts';

interface DemoSize extends DemoVolume {
  seed: number;
  wares: number;
}

const LARGE: DemoSize = { seed: 11, wares: WARES.length, transfers: 8, losses: 6, sales: 30 };
const SMALL: DemoSize = { seed: 12, wares: 12, transfers: 2, losses: 1, sales: 4 };

/** Returns the shop owner, who is the caller of all demo commands. */
function shopkeeper({ id: workspace_id, currency, users }: DemoWorkspace): Caller {
  const { id: user_id, name: user_name, kind, role } = users.find((user) => user.kind === 'owner') ?? users[0]!;
  const rights = { permissions: [], record_scopes: {}, modules: [] };
  return { user_id, user_name, kind, role, workspace_id, timezone: 'UTC', currency, ...rights };
}

/**
 * Creates the records that platform's events also create. A separate transaction, so that events do not wait for the
 * whole demo.
 */
async function prepare(db: Db): Promise<void> {
  await serializeOn(db, 'demo');
  await provideDefaults(db);
}

/** Adds demo data to a workspace. Returns the number of new products, or zero if products exist. */
async function fill(work: CommandContext, { seed, wares, ...extent }: DemoSize): Promise<number> {
  await serializeOn(work.db, 'demo');
  if ((await work.db.product.count()) > 0) return 0;
  seedRandom(seed);
  const context = await openWarehouses(work, clock.now());
  const stocked = await stockShelves(context, WARES.slice(0, wares));
  await moveGoods(context, stocked, extent.transfers);
  await loseGoods(context, stocked, extent.losses);
  await sellGoods(context, stocked, extent.sales);
  return stocked.length;
}

/** Fills the first workspace with transactions of three months and the others with a few. Returns a summary. */
export async function seedDemo(database: Database<Db>, workspaces: readonly DemoWorkspace[]): Promise<string> {
  let made = 0;
  for (const [index, workspace] of workspaces.entries()) {
    const caller = shopkeeper(workspace);
    const context = { workspace_id: workspace.id, caller, operation: 'cli:demo', request_id: randomUUID() };
    const size = index === 0 ? LARGE : SMALL;
    await database.write(context, prepare);
    made += await database.write(context, (db, emit) => fill({ db, emit, caller }, size));
  }
  return made > 0 ? `The demo has ${made} products, with stock and POS orders.` : 'The demo products already exist.';
}
