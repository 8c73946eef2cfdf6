/** What a crash or an outage left open of reservations is brought to an end. */
import { randomUUID } from 'node:crypto';
import { type Caller, clock, every, findEverywhere, onBehalfOf, scheduled, sql, type Tools } from '@suite/chassis';
import type { Db, Rpc, Write } from '../operations.ts';
import { giveUp, release } from './reservation.ts';

const SCHEDULE = 'crm.settle-reservations';
const INTERVAL_MS = 5_000;
const BATCH = 50;
/** A reservation takes two seconds at most; what is still asked for after this, nobody is waiting for. */
const FORGOTTEN_MS = 15_000;

interface Open {
  workspace_id: string;
  sales_order_id: string;
  attempt: number;
  state: string;
  asked_by: string;
}

/** Inventory, on behalf of somebody. */
type Inventory = (caller: Caller) => Pick<Rpc, 'inventory'>;
type Ground = Pick<Tools<Db>, 'database' | 'log'>;

/** Gives up one attempt that nobody waits for, and gives back what inventory may hold for it. */
async function settle(database: Ground['database'], inventory: Inventory, open: Open): Promise<void> {
  const { workspace_id, sales_order_id, attempt, state, asked_by } = open;
  const write: Write = (work) => database.write(scheduled(SCHEDULE, workspace_id), work);
  // The order is held, so that a confirmation that comes after all finds the attempt as it was, or given up.
  const givenUp = await write(async (db) => {
    await db.rows(sql`SELECT id FROM sales_orders WHERE id = ${sales_order_id}::uuid FOR NO KEY UPDATE`);
    return await giveUp(db, sales_order_id, attempt, ['requested']);
  });
  if (!givenUp && state === 'requested') return;
  await release(inventory(onBehalfOf(asked_by, workspace_id)), write, sales_order_id, attempt);
}

/** What nobody waits for any more, over all workspaces. */
export const findOpen = ({ database }: Pick<Ground, 'database'>): Promise<Open[]> =>
  findEverywhere<Open>(
    database,
    SCHEDULE,
    sql`
      SELECT workspace_id, sales_order_id, attempt, state, asked_by FROM order_reservations
      WHERE state = 'releasing'
        OR (state = 'requested' AND since <= ${new Date(clock.now().getTime() - FORGOTTEN_MS)})
      ORDER BY since LIMIT ${BATCH}`,
  );

/** Settles what is open, one after the other; what cannot be settled now is tried again at the next turn. */
export async function settleReservations({ database, log }: Ground, inventory: Inventory, all: readonly Open[]) {
  for (const open of all) {
    await settle(database, inventory, open).catch((error: unknown) => {
      log.warn({ err: error, sales_order_id: open.sales_order_id }, 'A reservation is not settled yet.');
    });
  }
}

export const settleOpenReservations = every(SCHEDULE, INTERVAL_MS, async (tools: Tools<Db, Rpc>) => {
  const open = await findOpen(tools);
  await settleReservations(tools, (caller) => tools.rpc(caller, randomUUID()), open);
});
