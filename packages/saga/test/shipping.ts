/**
 * A service with a remote step: shipping a note takes goods out of the stock of another service, which returns their
 * cost.
 */
import { type WorkspaceDatabase, type Database, sql } from '@suite/chassis/database';
import { Fault, fault } from '@suite/chassis/faults';
import { DryRun, idOf } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { can, ok, operations } from '@suite/chassis/operations';
import type { Clients } from '@suite/chassis/rpc';
import { connectRpc } from '@suite/chassis/testing';
import { keysOf, type ServiceUnderTest } from '@suite/testing';
import { fakeServer } from '@suite/testing/fakes/fake-server';
import { testServiceOf } from '@suite/example-service/fixtures';
import { InventoryServiceDefinition } from '@suite/proto/inventory/v1/inventory';
import { z } from 'zod';
import { remoteSteps, stepTable, undoSchedule } from '../src/saga.ts';

const calls = { inventory: InventoryServiceDefinition };
type Db = WorkspaceDatabase<object>;
type Rpc = Clients<typeof calls>;
const { command, query } = operations<Db, Rpc>({ module: 'crm' });

const NotInStock = fault(409, 'not_in_stock', 'Out of stock.');
const SoldAlready = fault(409, 'sold_already', 'Already sold.');
const ShipmentPending = fault(409, 'shipment_pending', 'Shipping is in progress. Try again in a moment.', {
  retryable: true,
});

/** The table of attempts, as Prisma would type it. */
interface Shipment {
  id: string;
  workspace_id: string;
  note_id: string;
  label: string;
  attempt: number;
  state: string;
  asked_by: string;
  since: Date;
  claimed_until: Date | null;
}
export const SHIPMENTS = `
  CREATE TABLE shipments (
    id uuid PRIMARY KEY, workspace_id uuid NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid, note_id uuid NOT NULL,
    label text NOT NULL, attempt integer NOT NULL, state text NOT NULL, asked_by uuid NOT NULL, since timestamptz(3) NOT NULL,
    claimed_until timestamptz(3), UNIQUE (workspace_id, note_id, attempt));
  CREATE UNIQUE INDEX ON shipments (workspace_id, note_id) WHERE state <> 'returned';
  GRANT ALL ON shipments TO suite_everywhere;
  SELECT suite_confine('shipments'), suite_visible('shipments', 'TRUE')`;

const shipGoods = remoteSteps<Db, Rpc>()('notebook.ship-goods', {
  table: stepTable<Shipment, 'note_id' | 'label'>('shipments', {
    record: 'note_id',
    attempt: 'attempt',
    states: { requested: 'asked', completed: 'shipped', undoing: 'returning', undone: 'returned' },
  }),
  pending: ShipmentPending,
  asks: { service: 'inventory', methods: { IssueStock: { label: 'goods' } } },
  irreversible: [SoldAlready],
  key: (note_id, attempt) => `ship:${note_id}:${attempt}`,
  lock: (db, { note_id }) => lockNote(db, note_id),
  async ask({ rpc, key, dry_run }, lines: { line_id: string }[]) {
    const asked = lines.map((line) => ({ ...line, product_id: '', warehouse_id: '', qty: '1' }));
    const moved = await rpc.inventory.issueStock({ idempotency_key: key, business_date: '', lines: asked, dry_run });
    return Number(moved.lines[0]!.cost);
  },
  undo: ({ rpc, key }, { label }) => rpc.inventory.reverseIssue({ idempotency_key: key, business_date: label }),
  repeat: (_, { note_id }) => Promise.resolve([{ line_id: note_id }]),
});

const { findOpen, finish, repair } = undoSchedule('notebook.return-goods', 1_000, [shipGoods]);

async function lockNote(db: Db, id: string): Promise<string> {
  const [note] = await db.rows<{ status: string }>(sql`
    SELECT status FROM notes WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  return note!.status;
}

const Shipped = z.object({ status: z.string(), position: z.int(), pending_effects: z.array(z.string()) });
async function shown(db: Db, id: string) {
  const pending = shipGoods.pendingEffects(sql`notes.id`, {
    requested: sql`'ship ' || label`,
    undoing: sql`'return ' || label`,
  });
  const [note] = await db.rows<z.infer<typeof Shipped>>(sql`
    SELECT status, position, ${pending} AS pending_effects FROM notes WHERE id = ${id}::uuid`);
  return note!;
}
const setStatus = (db: Db, id: string, status: string, cost: number) =>
  db.rows(sql`UPDATE notes SET status = ${status}, position = ${cost} WHERE id = ${id}::uuid RETURNING id`);

const params = { id: idOf('notes') };
const faults = [NotInStock, ShipmentPending];
/** Work for transactions that have just completed their step. Each transaction runs one entry. */
export const midwayWork: (() => Promise<unknown>)[] = [];

const ship = command('POST /api/trial/{id}/ship', {
  summary: 'Ship a note',
  access: can('trial'),
  params,
  query: { dry_run: DryRun },
  reply: ok(Shipped),
  faults,
  async prepare({ caller, rpc, write, params: { id }, query: { dry_run } }) {
    const attempt = await write(async (db) => {
      if ((await lockNote(db, id)) !== 'open') return undefined;
      return await shipGoods.begin(db, { caller, dry_run }, { note_id: id, label: 'goods' });
    });
    return attempt && { attempt, cost: await shipGoods.ask({ rpc, write }, attempt, [{ line_id: id }]) };
  },
  async handle({ db, params: { id }, prepared }) {
    if ((await lockNote(db, id)) === 'open' && prepared) {
      await shipGoods.complete(db, prepared.attempt);
      await setStatus(db, id, 'shipped', prepared.cost);
      await midwayWork.shift()?.();
    }
    return await shown(db, id);
  },
});
const onLockedNote = (summary: string, work: (db: Db, id: string) => Promise<unknown>) => ({
  summary,
  access: can('trial'),
  params,
  reply: ok(Shipped),
  faults,
  async handle({ db, params: { id } }: { db: Db; params: { id: string } }) {
    await lockNote(db, id);
    await work(db, id);
    return await shown(db, id);
  },
});
const undoShipment = command(
  'POST /api/trial/{id}/take-back',
  onLockedNote('Reverse a shipment', async (db, id) => {
    await shipGoods.undoLater(db, id);
    await setStatus(db, id, 'open', 0);
  }),
);
const change = command('POST /api/trial/{id}/change', onLockedNote('Change a note', shipGoods.assertNoneOpen));
const show = query('GET /api/trial/{id}', {
  summary: 'Show a note',
  access: can('trial'),
  params,
  reply: ok(Shipped),
  handle: ({ db, params: { id } }) => shown(db, id),
});

export const shipping = { ...testServiceOf({ ship, takeBack: undoShipment, change, show }), calls };

/** Functions that run before or after the other service has done its work. */
interface ConcurrentWork {
  before?: () => Promise<void>;
  after?: () => Promise<void>;
}

/**
 * Creates the fake of the other service. `trouble` sets the outcome of the next calls: `lost` does the work and gives
 * no answer.
 */
export function fakeInventory() {
  const out = new Set<string>();
  const spent = new Set<string>();
  const asked: string[] = [];
  const callers: (Caller | null)[] = [];
  const trouble: ('refused' | 'lost' | 'down' | 'sold' | ConcurrentWork)[] = [];
  /** The keys of calls that always fail. */
  const poisoned = new Set<string>();
  async function call(line: string, work: () => void): Promise<void> {
    asked.push(line);
    if (poisoned.has(line.split(' ').at(-1)!)) throw new Fault(500, 'internal_error', 'Something went wrong.');
    const wrong = trouble.shift();
    if (wrong === 'refused') throw NotInStock({ line });
    if (wrong === 'sold') throw SoldAlready();
    if (wrong === 'down') throw new Fault(503, 'inventory_unavailable', 'Inventory is down.');
    if (typeof wrong === 'object') await wrong.before?.();
    work();
    if (typeof wrong === 'object') await wrong.after?.();
    if (wrong === 'lost') throw new Fault(503, 'inventory_unavailable', 'The response was lost.');
  }
  const served = fakeServer(
    InventoryServiceDefinition,
    {
      async issueStock({ idempotency_key: key, lines, dry_run }, { caller }) {
        callers.push(caller);
        await call(`${dry_run ? 'dry_run' : 'issue'} ${key}`, () => {
          if (spent.has(key)) throw new Fault(409, 'key_reversed', 'The key has already been reversed.');
          if (!dry_run) out.add(key);
        });
        return { lines: lines.map((line) => ({ ...line, unit_cost: '7', cost: '7', stock_account_id: '' })) };
      },
      async reverseIssue({ idempotency_key: key, business_date: label }, { caller }) {
        callers.push(caller);
        await call(`return ${label} ${key}`, () => {
          spent.add(key);
          out.delete(key);
        });
        return { lines: [] };
      },
    },
    ['issueStock', 'reverseIssue'],
  );
  return { served, out, spent, asked, callers, trouble, poisoned };
}

/** Runs the sweeper like a replica, when a test calls it. */
export function openSweeper({ tools, database }: ServiceUnderTest) {
  const fixture = { log: tools.log, database: database as Database<Db> };
  const address = tools.config.addresses['inventory']!;
  const rpc = connectRpc({ inventory: { definition: InventoryServiceDefinition, address } }, keysOf('notebook'));
  return {
    find: () => findOpen(fixture),
    sweep: async (found?: Awaited<ReturnType<typeof findOpen>>) =>
      finish(fixture, (caller) => rpc.as(caller, ''), found ?? (await findOpen(fixture))),
    repair: () => repair(fixture, (caller) => rpc.as(caller, '')),
    close: () => rpc.close(),
  };
}
