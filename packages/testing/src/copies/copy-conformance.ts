/** Tests that copies of customers that requests write get a name that changes while the request runs. */
import { describe, expect, test } from '@jest/globals';
import type { Service } from '@suite/chassis/declarations';
import { eventPublisher } from '../event-publisher.ts';
import type { fakeFinance } from '../fakes/finance.ts';
import type { ServiceUnderTest } from '../start.ts';
import { waitUntil } from '../waiting.ts';
import { whilePaused } from './paused-writes.ts';

/** A way to write a copy of a customer. */
interface CopyWriter {
  /** True if the request reads the customer from finance. False if it copies the name from elsewhere. */
  reads_owner: boolean;
  /** Creates what the request needs, and returns the request. */
  prepare(customer_id: string): Promise<() => Promise<unknown>>;
}

interface CopyConformance {
  contents: Service;
  serving: ServiceUnderTest;
  finance: ReturnType<typeof fakeFinance>;
  workspace: string;
  /** The ways to write each declared copy, by table and title. */
  writers: Record<string, Record<string, CopyWriter>>;
}

/** Returns functions that change the names of customers, and wait for the events. */
async function customerNames({ serving, finance, workspace }: CopyConformance) {
  const { announce, heard } = await eventPublisher(serving);
  /** Changes a customer in finance without the event. */
  const rename = (customer_id: string, name: string): void => {
    const customer = finance.customers.get(customer_id)!;
    finance.customers.set(customer_id, { ...customer, name, version: customer.version + 1 });
  };
  /** Publishes the current state of a customer, and returns the ID of the event. */
  const publish = (customer_id: string): Promise<string> => {
    const { name, active, version } = finance.customers.get(customer_id)!;
    const event = { customer_id, name, active, version };
    return announce(workspace, 'finance.customer.updated', event, { position: version });
  };
  return {
    create: () => finance.customer(workspace, { name: 'Old Ltd' }),
    rename,
    publish,
    heard,
    isProcessed: async (event: string) => (await serving.sql`SELECT FROM inbox WHERE event_id = ${event}`).length > 0,
  };
}

/** Returns the names in the copies of a customer, each once. */
const namesOf =
  ({ contents, serving }: CopyConformance) =>
  async (table: string, customer_id: string): Promise<unknown[]> => {
    const column = contents.copies?.find((copied) => copied.table === table)?.columns['name'];
    const statement = `SELECT DISTINCT ${column} AS name FROM ${table} WHERE customer_id = $1`;
    return (await serving.admin.query<{ name: string }>(statement, [customer_id])).rows.map(({ name }) => name);
  };

function expectSuccess(reply: unknown): void {
  const { status = 200, body } = (reply ?? {}) as { status?: number; body?: unknown };
  expect({ status: status < 300 ? 'success' : status, body }).toMatchObject({ status: 'success' });
}

/** Generates the tests of a service's copies of customers that requests write. */
export async function copyConformance(tools: CopyConformance): Promise<void> {
  const { contents, serving, finance, writers } = tools;
  const { create, rename, publish, heard, isProcessed } = await customerNames(tools);
  const namesIn = namesOf(tools);
  const ways = Object.entries(writers).flatMap(([table, each]) =>
    Object.entries(each).map(([title, writer]) => ({ table, title, ...writer })),
  );
  const readers = ways.filter(({ reads_owner }) => reads_owner);

  test.each(readers)('$title stores a name whose event overtakes the response', async ({ table, prepare }) => {
    const customer_id = create();
    const write = await prepare(customer_id);
    finance.customersRead.push(async () => {
      rename(customer_id, 'New Ltd');
      await heard(await publish(customer_id));
    });
    expectSuccess(await write());
    expect(finance.customersRead).toEqual([]);
    expect(await namesIn(table, customer_id)).toEqual(['New Ltd']);
  });

  test.each(readers)('$title stores a name that arrives before its event', async ({ table, prepare }) => {
    const customer_id = create();
    const write = await prepare(customer_id);
    rename(customer_id, 'New Ltd');
    const event = await publish(customer_id);
    rename(customer_id, 'Newest Ltd');
    expectSuccess(await write());
    await heard(event);
    expect(await namesIn(table, customer_id)).toEqual(['Newest Ltd']);
    await heard(await publish(customer_id));
    expect(await namesIn(table, customer_id)).toEqual(['Newest Ltd']);
  });

  describe.each(['BEFORE', 'AFTER'] as const)('a name that changes %s a row is written', (time) => {
    test.each(ways)('is stored by $title', async ({ table, prepare }) => {
      const customer_id = create();
      const write = await prepare(customer_id);
      const { written, event } = await whilePaused(serving, { table, time }, async (countBlocked) => {
        const request = write();
        request.catch(() => undefined); // The rejection is reported below.
        await waitUntil('the transaction is paused', async () => (await countBlocked()) === 1);
        rename(customer_id, 'New Ltd');
        const id = await publish(customer_id);
        const isNext = async () => (await countBlocked()) > 1 || (await isProcessed(id));
        await waitUntil('the event waits for the transaction, or is processed', isNext);
        return { written: request, event: id };
      });
      expectSuccess(await written);
      await heard(event);
      expect(await namesIn(table, customer_id)).toEqual(['New Ltd']);
    });
  });

  test('every copy that requests write has tests', () => {
    const written = (contents.copies ?? []).filter(({ written_by_requests }) => written_by_requests);
    expect(written.map(({ table }) => table).toSorted()).toEqual(Object.keys(writers).toSorted());
  });
}
