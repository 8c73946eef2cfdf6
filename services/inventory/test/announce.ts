/** Speaks as another service on the bus, and waits for what comes of it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { connectBus } from '@suite/chassis/gateway';
import { openLog } from '@suite/chassis/testing';
import type { Serving } from '@suite/harness';

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 20) {
    if (await holds()) return;
    await pause(20);
  }
  throw new Error(`Waited in vain until ${what}.`);
}

/** Says something in another service's name, twice, and returns when it has been taken in. */
export async function say(
  { nats_url, sql }: Serving,
  workspace_id: string,
  type: string,
  data: Record<string, string>,
): Promise<void> {
  const [service = ''] = type.split('.');
  const bus = connectBus({ url: nats_url, name: service, log: openLog(service, 'silent') });
  await until('NATS is there', async () => bus.connected());
  const id = randomUUID();
  const [aggregate_id] = Object.values(data);
  const envelope = {
    ...{ id, type, schema_version: 'v1', workspace_id, aggregate_id, aggregate_version: 1, data },
    ...{ occurred_at: '2026-01-01T00:00:00.000Z', actor: null, trace_id: null },
  };
  for (let time = 0; time < 2; time += 1) await bus.publish(type, JSON.stringify(envelope), { id: randomUUID() });
  // While NATS is there: it does not outlive the tests.
  await bus.drain();
  await until('the event is taken in', async () => (await sql`SELECT FROM inbox WHERE event_id = ${id}`).length > 0);
}
