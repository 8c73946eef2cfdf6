/** Speaks as other services on the bus, and waits until it was heard. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll } from '@jest/globals';
import { connectBus } from '@suite/chassis/gateway';
import { openLog } from '@suite/chassis/testing';
import type { Serving } from '@suite/harness';

/** Waits until a condition holds, and fails when it does not within ten seconds. */
async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 20) {
    if (await holds()) return;
    await pause(20);
  }
  throw new Error(`Waited in vain until ${what}.`);
}

/** What a test says in the name of platform or inventory to a running finance. */
export async function speaker({ nats_url, sql }: Serving) {
  const bus = connectBus({ url: nats_url, name: 'inventory', log: openLog('inventory', 'silent') });
  afterAll(() => bus.drain());
  await until('NATS is there', () => bus.connected());

  /** Says something, several times if told so, and waits until it is taken in or parked. */
  return async (
    workspace_id: string,
    type: string,
    aggregate_id: string,
    fields: object,
    { times = 1, version = 1 } = {},
  ) => {
    const id = randomUUID();
    const envelope = {
      ...{ id, type, schema_version: 'v1', workspace_id, aggregate_id, aggregate_version: version },
      ...{ occurred_at: '2026-01-01T00:00:00.000Z', actor: null, trace_id: null, data: fields },
    };
    for (let time = 0; time < times; time += 1) await bus.publish(type, JSON.stringify(envelope), { id: randomUUID() });
    const settled = async () =>
      (await sql`SELECT FROM inbox WHERE event_id = ${id} UNION ALL SELECT FROM parked_messages WHERE event_id = ${id}`)
        .length > 0;
    await until('the event is taken in', settled);
  };
}
