/** Dead letters: events that a consumer could not process, and their replay. */
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { Address, type Envelope } from '../operation/events.ts';

export interface DeadLetter {
  consumer: string;
  event_id: string;
  reason: string;
  attempts: number;
  failed_at: Date;
  envelope: Envelope;
}

export interface DeadLetterFilter {
  consumer?: string | undefined;
  event_id?: string | undefined;
}

/** The result of replaying a dead letter. */
export interface Replay {
  consumer: string;
  event_id: string;
  outcome: 'processed' | 'failed again' | 'not delivered';
  reason?: string;
}

const LIST = `SELECT consumer, event_id, reason, attempts, failed_at, envelope FROM dead_letters
  WHERE replayed_at IS NULL AND ($1::text IS NULL OR consumer = $1) AND ($2::uuid IS NULL OR event_id = $2)
  ORDER BY consumer, envelope ->> 'aggregate_id', coalesce(envelope -> 'position', envelope -> 'aggregate_version')`;
/** Each dead letter gets one attempt: an operator waits for the outcome. */
const QUEUE = `
  WITH chosen AS (
    SELECT * FROM unnest($1::text[], $2::uuid[]) WITH ORDINALITY AS chosen (consumer, event_id, at) JOIN dead_letters USING (consumer, event_id)),
  queued AS (
    INSERT INTO received_events AS e (consumer, event_id, workspace_id, slot, envelope, attempts)
    SELECT consumer, event_id, (envelope ->> 'workspace_id')::uuid, suite_slot((envelope ->> 'aggregate_id')::uuid), envelope, 4
    FROM chosen ORDER BY at
    ON CONFLICT (consumer, event_id) DO UPDATE SET attempts = 4 RETURNING consumer, workspace_id, slot)
  INSERT INTO event_lanes AS partition (consumer, workspace_id, slot) SELECT DISTINCT consumer, workspace_id, slot FROM queued
  ON CONFLICT (consumer, workspace_id, slot) DO UPDATE SET received = partition.received + 1,
    due_at = CASE WHEN partition.taken_by IS NULL THEN clock_timestamp() ELSE partition.due_at END`;
const OUTCOME = `
  SELECT consumer, event_id, reason, replayed_at IS NOT NULL AS is_taken,
    EXISTS (SELECT FROM received_events AS e WHERE (e.consumer, e.event_id) = (p.consumer, p.event_id)) AS is_waiting
  FROM unnest($1::text[], $2::uuid[]) WITH ORDINALITY AS asked (consumer, event_id, at)
  JOIN dead_letters AS p USING (consumer, event_id) ORDER BY at`;

/** Returns true if a dead letter can be replayed. */
export const isEvent = ({ envelope }: DeadLetter): boolean => Address.safeParse(envelope).success;

/** Returns the dead letters that have not been replayed, with the events of each record in order. */
export async function listDeadLetters(
  pool: pg.Pool,
  { consumer, event_id }: DeadLetterFilter = {},
): Promise<DeadLetter[]> {
  return (await pool.query<DeadLetter>(LIST, [consumer, event_id])).rows;
}

/**
 * Queues dead letters again, directly after the events in progress. They stay dead letters until they have taken
 * effect.
 */
export async function replayDeadLetters(pool: pg.Pool, which: DeadLetterFilter = {}): Promise<DeadLetter[]> {
  const messages = await listDeadLetters(pool, which);
  const events = messages.filter(isEvent);
  await pool.query(QUEUE, [events.map(({ consumer }) => consumer), events.map(({ event_id }) => event_id)]);
  return messages;
}

const OUTCOME_POLL_MS = 200;

/** Waits until every queued message has taken effect or failed, but no longer than `patience_ms`. */
export async function awaitReplay(pool: pg.Pool, messages: DeadLetter[], patience_ms: number): Promise<Replay[]> {
  const keys = [messages.map(({ consumer }) => consumer), messages.map(({ event_id }) => event_id)];
  const over = performance.now() + patience_ms;
  for (;;) {
    const { rows } = await pool.query(OUTCOME, keys);
    if (performance.now() < over && rows.some((row) => row.is_waiting)) {
      await pause(OUTCOME_POLL_MS);
      continue;
    }
    return rows.map(({ consumer, event_id, reason, is_taken, is_waiting }) => {
      if (is_taken) return { consumer, event_id, outcome: 'processed' };
      if (is_waiting) return { consumer, event_id, outcome: 'not delivered' };
      return { consumer, event_id, outcome: 'failed again', reason };
    });
  }
}
