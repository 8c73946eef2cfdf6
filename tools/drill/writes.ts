/** Writes of a user under a steady load, and the comparison of the writes with restored databases. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { clock } from '@suite/chassis/runtime';
import { withIdempotencyKey } from '@suite/testing/suite/http-caller';
import type { DatabaseAccess } from '@suite/testing/suite/asking';
import type { Workspace } from '@suite/testing/suite/workspace';

type Person = Workspace['owner'];

/** A write, with the time of its request and of its successful response. */
export interface Write {
  marker: string;
  kind: 'lead' | 'invoice';
  began_at: Date;
  acknowledged_at?: Date;
}

/** Records that the writes need. */
interface Goods {
  customer_id: string;
  product_id: string;
}

const PER_SECOND = 30;
/** Every tenth write posts an invoice: it takes a number, and moves stock in another service. */
const INVOICE_EVERY = 10;
const PLENTY = '1000000';

/** A write that the suite rejected: the load is wrong, such as one above the rate limit. */
class RejectedWrite extends Error {}

async function send(person: Person, path: string, body: object): Promise<{ id: string }> {
  const reply = await person.post(path, body, withIdempotencyKey());
  if (reply.status < 300) return reply.body.data;
  const text = `${path} returned ${reply.status}: ${JSON.stringify(reply.body)}`;
  throw reply.status < 500 ? new RejectedWrite(text) : new Error(text);
}

/** Creates a customer, and a product in stock. */
export async function stockGoods(person: Person): Promise<Goods> {
  const { id: product_id } = await send(person, '/api/product/create', {
    name: 'Bell',
    sku: randomUUID(),
    sale_price: '10',
  });
  const [warehouse] = (await person.get('/api/warehouse')).body.data;
  const opening = { product_id, warehouse_id: warehouse.id, qty: PLENTY, unit_cost: '2.00', reason: 'opening' };
  await send(person, '/api/product-stock/add', opening);
  return { product_id, customer_id: (await send(person, '/api/customers/create', { name: 'Grace Hopper' })).id };
}

async function writeOnce(person: Person, { customer_id, product_id }: Goods, { kind, marker }: Write): Promise<void> {
  if (kind === 'lead') {
    await send(person, '/api/lead/create', { name: marker });
    return;
  }
  const lines = [{ product_id, qty: '1' }];
  const draft = { customer_id, invoice_date: clock.now().toISOString().slice(0, 10), reference: marker, lines };
  const { id } = await send(person, '/api/sales-invoice/create', draft);
  await send(person, `/api/sales-invoice/post/${id}`, {});
}

/**
 * Begins writes at a steady rate until the signal.
 * @returns all writes, as soon as each has ended
 * @throws RejectedWrite for the first write that the suite rejected
 */
export async function writeSteadily(person: Person, goods: Goods, stopping: AbortSignal): Promise<Write[]> {
  const writes: Write[] = [];
  const running: Promise<void>[] = [];
  let rejected: RejectedWrite | undefined;
  const started = performance.now();
  while (!stopping.aborted) {
    const due_ms = (writes.length * 1_000) / PER_SECOND - (performance.now() - started);
    if (due_ms > 0) await pause(due_ms);
    const kind = writes.length % INVOICE_EVERY === 0 ? 'invoice' : 'lead';
    const write: Write = { kind, marker: randomUUID(), began_at: clock.now() };
    writes.push(write);
    const ended = writeOnce(person, goods, write).then(
      () => void (write.acknowledged_at = clock.now()),
      // Without a response, a write may have been stored or not. Neither is a fault of the restore.
      (error: unknown) => {
        if (error instanceof RejectedWrite) rejected ??= error;
      },
    );
    running.push(ended);
  }
  await Promise.all(running);
  if (rejected) throw rejected;
  return writes;
}

const STORED = {
  lead: ['crm', 'SELECT name AS marker FROM leads'],
  invoice: ['finance', `SELECT reference AS marker FROM sales_invoices WHERE status <> 'draft'`],
} as const;

/** The differences between the writes and the restored databases. */
export interface Comparison {
  /** Acknowledged before the restored time, and missing. */
  lost: number;
  /** Requested after the restored time, and present. */
  ghosts: number;
  /** Present more than once. */
  doubled: number;
}

/** Compares the writes with the databases. */
export async function compareWrites(
  { sql }: Pick<DatabaseAccess, 'sql'>,
  writes: readonly Write[],
  until: Date,
): Promise<Comparison> {
  const times = new Map<string, number>();
  for (const [service, statement] of Object.values(STORED)) {
    for (const { marker } of await sql<{ marker: string }>(service, statement))
      times.set(marker, (times.get(marker) ?? 0) + 1);
  }
  const count = (isWrong: (write: Write) => boolean) => writes.filter(isWrong).length;
  return {
    lost: count(
      ({ marker, acknowledged_at }) => acknowledged_at !== undefined && acknowledged_at < until && !times.has(marker),
    ),
    ghosts: count(({ marker, began_at }) => began_at > until && times.has(marker)),
    doubled: count(({ marker }) => (times.get(marker) ?? 0) > 1),
  };
}
