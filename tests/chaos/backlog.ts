/** Events that wait in the journals for NATS. */
import { expect } from '@jest/globals';
import { waitFor } from '@suite/testing/waiting';
import type { OwnSuite } from '@suite/testing/suite/started';

/** The events that were waiting, and the time until the last of them was published. */
export interface PublishedBacklog {
  events: number;
  took_ms: number;
}

/** Counts the events of all services that are not published yet, up to the given time. */
async function countWaitingEvents(suite: OwnSuite, until: Date): Promise<number> {
  const counted = await Promise.all(
    Object.keys(suite.databases).map((service) =>
      suite.sql<{ events: number }>(
        service,
        'SELECT count(*)::int AS events FROM journal_waiting WHERE occurred_at <= $1',
        [until],
      ),
    ),
  );
  return counted.flat().reduce((sum, { events }) => sum + events, 0);
}

/** Waits until all events of the time before now are published. @throws if some still wait after `patience_ms` */
export async function awaitPublishing(suite: OwnSuite, patience_ms: number): Promise<PublishedBacklog> {
  const began = performance.now();
  const now = new Date();
  const events = await countWaitingEvents(suite, now);
  await waitFor(async () => expect(await countWaitingEvents(suite, now)).toBe(0), patience_ms);
  return { events, took_ms: Math.round(performance.now() - began) };
}
