/** What a crash or an outage left open of reservations is brought to an end. */
import { type Caller, clock, every, findEverywhere, scheduled, sql, type Tools } from '@suite/chassis';
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

/** Speaks for whoever asked, with no rights but to be in the workspace. */
const onBehalfOf = ({ asked_by, workspace_id }: Open): Caller => ({
  ...{ user_id: asked_by, user_name: '', kind: 'staff', workspace_id, role: '', permissions: [], record_scopes: {} },
  ...{ modules: [], timezone: 'UTC', currency: 'EUR' },
});

/** What a sweeper needs: the database, and clients that speak for somebody. */
type Means = Pick<Tools<Db>, 'database' | 'log'> & { rpc(caller: Caller, request_id: string): object };

/** Gives up one attempt that nobody waits for, and gives back what inventory may hold for it. */
async function settle({ database, rpc }: Means, open: Open): Promise<void> {
  const { workspace_id, sales_order_id, attempt, state } = open;
  const write: Write = (work) => database.write(scheduled(SCHEDULE, workspace_id), work);
  // The order is held, so that a confirmation that comes after all finds the attempt as it was, or given up.
  const givenUp = await write(async (db) => {
    await db.rows(sql`SELECT id FROM sales_orders WHERE id = ${sales_order_id}::uuid FOR NO KEY UPDATE`);
    return await giveUp(db, sales_order_id, attempt, ['requested']);
  });
  if (!givenUp && state === 'requested') return;
  await release(rpc(onBehalfOf(open), '') as Rpc, write, sales_order_id, attempt);
}

/** Settles what is open. Returns how many attempts that were. */
export async function settleReservations(means: Means): Promise<number> {
  const forgotten = new Date(clock.now().getTime() - FORGOTTEN_MS);
  const open = await findEverywhere<Open>(
    means.database,
    SCHEDULE,
    sql`
      SELECT workspace_id, sales_order_id, attempt, state, asked_by FROM order_reservations
      WHERE state = 'releasing' OR (state = 'requested' AND since <= ${forgotten}) ORDER BY since LIMIT ${BATCH}`,
  );
  for (const one of open) {
    await settle(means, one).catch((error: unknown) => {
      means.log.warn({ err: error, sales_order_id: one.sales_order_id }, 'A reservation is not settled yet.');
    });
  }
  return open.length;
}

export const settleOpenReservations = every(SCHEDULE, INTERVAL_MS, settleReservations);
