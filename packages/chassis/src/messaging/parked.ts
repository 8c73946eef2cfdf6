/** Parked messages: the events that a consumer could not take in, and the program that gives them another chance. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { z } from 'zod';
import { type Bus, connectBus } from './bus.ts';
import { readSettings } from '../runtime/config.ts';
import type { Envelope } from '../operation/events.ts';
import { openLog } from '../runtime/log.ts';

export interface ParkedMessage {
  consumer: string;
  event_id: string;
  reason: string;
  attempts: number;
  parked_at: Date;
  envelope: Envelope;
}

interface Which {
  consumer?: string | undefined;
  event_id?: string | undefined;
}

const LIST = `SELECT consumer, event_id, reason, attempts, parked_at, envelope FROM parked_messages
  WHERE replayed_at IS NULL AND ($1::text IS NULL OR consumer = $1) AND ($2::uuid IS NULL OR event_id = $2)
  ORDER BY consumer, envelope ->> 'aggregate_id', (envelope ->> 'aggregate_version')::int`;

/** The messages that are still parked, each record's events in their order. */
export async function listParked(pool: pg.Pool, { consumer, event_id }: Which = {}): Promise<ParkedMessage[]> {
  return (await pool.query<ParkedMessage>(LIST, [consumer, event_id])).rows;
}

/** Publishes parked messages again, for their own consumer only. They count as parked until they have taken effect. */
export async function replayParked(pool: pg.Pool, bus: Bus, which: Which = {}): Promise<number> {
  const messages = await listParked(pool, which);
  for (const { consumer, envelope } of messages) {
    // A fresh id: the stream would take the event's own for a repetition.
    await bus.publish(envelope.type, JSON.stringify(envelope), { id: randomUUID(), addressee: consumer });
  }
  return messages.length;
}

/** `node parked.ts list [consumer]` shows what is parked; `node parked.ts replay [consumer] [event id]` tries it again. */
async function program([verb, consumer, event_id]: string[]): Promise<void> {
  const { DATABASE_URL, NATS_URL } = readSettings({ DATABASE_URL: z.url(), NATS_URL: z.url() });
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 1 });
  const bus = connectBus({ url: NATS_URL, name: 'parked', log: openLog('parked', 'error') });
  if (verb === 'replay') {
    await new Promise<void>((resolve) => bus.onConnect(resolve));
    console.log(`${await replayParked(pool, bus, { consumer, event_id })} messages are tried again.`);
  } else console.log(JSON.stringify(await listParked(pool, { consumer, event_id }), undefined, 2));
  await Promise.all([bus.drain(), pool.end()]);
}

if (import.meta.main) await program(process.argv.slice(2));
