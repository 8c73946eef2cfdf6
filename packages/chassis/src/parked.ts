/** Parked messages: the events that a consumer could not take in, and the command that gives them another chance. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Bus } from './bus.ts';
import type { Envelope } from './events.ts';

export interface ParkedMessage {
  consumer: string;
  event_id: string;
  envelope: Envelope;
  reason: string;
  attempts: number;
  parked_at: Date;
  /** When it took effect after all. */
  replayed_at: Date | null;
}

const LIST = `SELECT * FROM parked_messages
  WHERE replayed_at IS NULL AND ($1::text IS NULL OR consumer = $1) AND ($2::uuid IS NULL OR event_id = $2)
  ORDER BY consumer, envelope ->> 'aggregate_id', (envelope ->> 'aggregate_version')::int`;

export interface ParkedFilter {
  consumer?: string | undefined;
  event_id?: string | undefined;
}

/** The messages that are still parked, each record's events in their order. */
export async function listParked(pool: pg.Pool, { consumer, event_id }: ParkedFilter = {}): Promise<ParkedMessage[]> {
  return (await pool.query<ParkedMessage>(LIST, [consumer, event_id])).rows;
}

/** Publishes parked messages again, for their own consumer only. They count as parked until they have taken effect. */
export async function replayParked(pool: pg.Pool, bus: Bus, filter: ParkedFilter = {}): Promise<number> {
  const messages = await listParked(pool, filter);
  for (const { consumer, envelope } of messages) {
    // A fresh id: the stream would take the event's own for a repetition.
    await bus.publish(envelope.type, JSON.stringify(envelope), { id: randomUUID(), addressee: consumer });
  }
  return messages.length;
}
