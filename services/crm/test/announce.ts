/** Speaks as another service on the bus, and waits for what comes of it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll } from '@jest/globals';
import { connectBus } from '@suite/chassis/gateway';
import { openLog } from '@suite/chassis/testing';
import type { Serving } from '@suite/harness';

export interface Announced {
  id: string;
  type: string;
  aggregate_version: number;
}

/** Waits until a condition holds, and fails when it does not within ten seconds. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 20) {
    if (await holds()) return;
    await pause(20);
  }
  throw new Error(`Waited in vain until ${what}.`);
}

/** What a test says in platform's name to a running crm. */
export const platformSpeaks = (serving: Serving) => speaks(serving, 'platform');

/** What a test says in another service's name to a running crm. */
export async function speaks({ nats_url, sql }: Serving, service: string) {
  const bus = connectBus({ url: nats_url, name: service, log: openLog(service, 'silent') });
  afterAll(() => bus.drain());
  await until('NATS is there', async () => bus.connected());

  /** Delivers an event, several times if told so; each time under another id, as after the window for duplicates. */
  async function announce(
    workspace_id: string,
    type: string,
    data: Record<string, unknown>,
    {
      version = 1,
      times = 1,
      id = randomUUID(),
      about = data['user_id'] ?? data['workspace_id'],
    }: { version?: number; times?: number; id?: string; about?: unknown } = {},
  ): Promise<Announced> {
    const envelope = {
      id,
      type,
      schema_version: 'v1',
      workspace_id,
      aggregate_id: about,
      aggregate_version: version,
      occurred_at: '2026-01-01T00:00:00.000Z',
      actor: null,
      trace_id: null,
      data,
    };
    for (let time = 0; time < times; time += 1) await bus.publish(type, JSON.stringify(envelope), { id: randomUUID() });
    return { id, type, aggregate_version: version };
  }

  /** Waits until an event has been taken in. */
  async function heard({ id }: Announced): Promise<void> {
    await until('the event is taken in', async () => (await sql`SELECT FROM inbox WHERE event_id = ${id}`).length > 0);
  }

  return { announce, heard, say: async (...event: Parameters<typeof announce>) => heard(await announce(...event)) };
}
