import { randomUUID } from 'node:crypto';
import { afterAll } from '@jest/globals';
import { connectBus } from '@suite/chassis/gateway';
import { openLog } from '@suite/chassis/testing';
import { waitUntil } from './waiting.ts';
import type { ServiceUnderTest } from './start.ts';

interface PublishOptions {
  /** Position of the event. Later events of a record have higher positions. */
  position?: number;
  /** Number of deliveries, each as if after the window for duplicates. */
  times?: number;
  /** The ID of the event. Publish with the same ID to repeat an event. */
  id?: string;
  occurred_at?: string;
}

/** Publishes on the bus in the name of the services that the tested service listens to, and waits for the effects. */
export async function eventPublisher({ nats_url, sql }: ServiceUnderTest) {
  const bus = connectBus({ url: nats_url, name: 'event-publisher', log: openLog('event-publisher', 'silent') });
  afterAll(() => bus.drain());
  await waitUntil('NATS is there', () => bus.connected());

  /**
   * Publishes an event.
   * @param type the subject: `platform.user.created`
   * @param data the event. Its first field is the ID of its record
   * @returns the ID of the event
   */
  async function announce(
    workspace_id: string,
    type: string,
    data: object,
    { position = 1, times = 1, id = randomUUID(), occurred_at = '2026-01-01T00:00:00.000Z' }: PublishOptions = {},
  ): Promise<string> {
    const envelope = {
      id,
      type,
      schema_version: 'v1',
      workspace_id,
      aggregate_id: Object.values(data)[0],
      position,
      occurred_at,
      actor: null,
      trace_id: null,
      data,
    };
    for (let time = 0; time < times; time += 1) await bus.publish(type, JSON.stringify(envelope), { id: randomUUID() });
    return id;
  }

  /** Waits until an event is processed. */
  const heard = (id: string): Promise<void> =>
    waitUntil('the event is processed', async () => (await sql`SELECT FROM inbox WHERE event_id = ${id}`).length > 0);

  /** Waits until an event is a dead letter, and returns the reason. */
  async function deadLetterReason(id: string): Promise<string> {
    const reasons = () => sql<{ reason: string }>`SELECT reason FROM dead_letters WHERE event_id = ${id}`;
    await waitUntil('the event is a dead letter', async () => (await reasons()).length > 0);
    return (await reasons())[0]!.reason;
  }

  return {
    announce,
    heard,
    deadLetterReason,
    say: async (...event: Parameters<typeof announce>) => heard(await announce(...event)),
  };
}

/** Returns the types of the events of a record, in order. */
export const eventTypesOf = async ({ sql }: Pick<ServiceUnderTest, 'sql'>, aggregate_id: string): Promise<string[]> =>
  (
    await sql<{ type: string }>`SELECT type FROM journal_events WHERE aggregate_id = ${aggregate_id} ORDER BY position`
  ).map(({ type }) => type);
