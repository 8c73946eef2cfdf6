/** What a crash or an outage left open of moved goods is brought to an end. */
import { randomUUID } from 'node:crypto';
import { type Caller, clock, every, findEverywhere, onBehalfOf, raw, scheduled, sql, type Tools } from '@suite/chassis';
import type { Db, Rpc } from '../operations.ts';
import { giveUpCancelling, letGo } from './giving-back.ts';
import { giveUp, reverse, type Write } from './saga.ts';

const SCHEDULE = 'finance.settle-stock';
/** Short: what was sold and is cancelled waits for this to be in stock again. */
const INTERVAL_MS = 3_000;
const BATCH = 50;
/** Moving goods takes two seconds at most; what is still asked for after this, nobody is waiting for. */
const FORGOTTEN_MS = 15_000;

interface Open {
  workspace_id: string;
  document_type: string;
  document_id: string;
  attempt: number;
  direction: string;
  state: string;
  asked_by: string;
  cancellations: number;
}

/** Inventory, on behalf of somebody. */
type Inventory = (caller: Caller) => Pick<Rpc, 'inventory'>;
type Ground = Pick<Tools<Db>, 'database' | 'log'>;

/** Gives up one attempt that nobody waits for, and has inventory undo what it may have moved. */
async function settle(database: Ground['database'], inventory: Inventory, open: Open): Promise<void> {
  const { workspace_id, document_type, document_id, attempt, state, asked_by, cancellations } = open;
  const write: Write = (work) => database.write(scheduled(SCHEDULE, workspace_id), work);
  // The document is held, so that a posting that comes after all finds the attempt as it was, or given up.
  const givenUp = await write(async (db) => {
    await db.rows(sql`SELECT id FROM ${raw(`${document_type}s`)} WHERE id = ${document_id}::uuid FOR NO KEY UPDATE`);
    return state === 'cancelling' ? await giveUpCancelling(db, document_id) : await giveUp(db, document_id, attempt);
  });
  if (state === 'releasing' || (givenUp && state === 'cancelling')) {
    const giving = { document_type, document_id, cancellations, lines: [] };
    return await letGo(inventory(onBehalfOf(asked_by, workspace_id)), write, giving);
  }
  if (state === 'cancelling') return;
  if (!givenUp && state === 'requested') return;
  await reverse(inventory(onBehalfOf(asked_by, workspace_id)), write, open);
}

/** What nobody waits for any more, over all workspaces. */
export const findOpen = ({ database }: Pick<Ground, 'database'>): Promise<Open[]> =>
  findEverywhere<Open>(
    database,
    SCHEDULE,
    sql`
      SELECT workspace_id, document_type, document_id, attempt, direction, state, asked_by,
        cancellations FROM stock_sagas
      WHERE state IN ('reversing', 'releasing')
        OR (state IN ('requested', 'cancelling') AND since <= ${new Date(clock.now().getTime() - FORGOTTEN_MS)})
      ORDER BY since LIMIT ${BATCH}`,
  );

/** Settles what is open, one after the other; what cannot be settled now is tried again at the next turn. */
export async function settleStock({ database, log }: Ground, inventory: Inventory, all: readonly Open[]) {
  for (const open of all) {
    await settle(database, inventory, open).catch((error: unknown) => {
      log.warn({ err: error, document_id: open.document_id }, 'Moved goods are not settled yet.');
    });
  }
}

export const settleOpenStock = every(SCHEDULE, INTERVAL_MS, async (tools: Tools<Db, Rpc>) => {
  const open = await findOpen(tools);
  await settleStock(tools, (caller) => tools.rpc(caller, randomUUID()), open);
});
