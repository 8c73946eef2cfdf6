/** Speaks as another service on the bus, and waits for what comes of it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll } from '@jest/globals';
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

/** What a test says in another service's name. Each saying is delivered twice, and taken in when this returns. */
export async function speaker({ nats_url, sql }: Serving, service: string) {
  const bus = connectBus({ url: nats_url, name: service, log: openLog(service, 'silent') });
  afterAll(() => bus.drain());
  await until('NATS is there', async () => bus.connected());
  return async (workspace_id: string, type: string, data: Record<string, string>): Promise<void> => {
    const id = randomUUID();
    const [aggregate_id] = Object.values(data);
    const envelope = {
      ...{ id, type, schema_version: 'v1', workspace_id, aggregate_id, aggregate_version: 1, data },
      ...{ occurred_at: '2026-01-01T00:00:00.000Z', actor: null, trace_id: null },
    };
    for (let time = 0; time < 2; time += 1) await bus.publish(type, JSON.stringify(envelope), { id: randomUUID() });
    await until('the event is taken in', async () => (await sql`SELECT FROM inbox WHERE event_id = ${id}`).length > 0);
  };
}
