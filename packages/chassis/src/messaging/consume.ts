/** Consumers: the handlers of events in a service. An event takes effect once, however often it is delivered. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Bus, Stoppable } from '../bus/bus.ts';
import type { Database } from '../database/database.ts';
import { databaseFault, isTimeout, isLockTimeout } from '../database/database-fault.ts';
import { type Emit, Envelope, type EventMessage, eventName, schemaVersion } from '../operation/events.ts';
import { startIntake } from './intake.ts';
import { type Unslotted, type EventOutcome, type ReceivedEvent, startPartitions } from './partitions.ts';
import { BeingDeleted, Fault, Unavailable } from '../runtime/fault.ts';
import { type Log, OutageLog } from '../runtime/log.ts';
import { execute } from '../database/running.ts';

type Prepare<T, Rpc, Prepared> = (taken: { event: T; envelope: Envelope; rpc: Rpc }) => Promise<Prepared>;
type Handle<T, Db, Prepared> = (taken: {
  event: T;
  envelope: Envelope;
  db: Db;
  emit: Emit;
  prepared: Prepared;
}) => Promise<unknown>;

/** A consumer of one event. Its name is the durable subscription and the key in the inbox. */
export interface Consumer {
  name: string;
  event: EventMessage<unknown>;
  /**
   * Returns true if an event of this type can have an effect. Other events are skipped when they are read, and leave no
   * trace.
   */
  concerns?: (event: never) => boolean;
  /** Calls other services before the transaction. */
  prepare?: Prepare<unknown, never, unknown>;
  /** Runs in one transaction with the inbox row, confined to the event's workspace. */
  handle: Handle<unknown, never, never>;
}

/** Declares a consumer, with or without something to prepare first. */
export interface DeclareConsumer<Db, Rpc> {
  <T>(event: EventMessage<T>, name: string, handle: Handle<T, Db, undefined>): Consumer;
  <T, F>(event: EventMessage<T>, name: string, prepare: Prepare<T, Rpc, F>, handle: Handle<T, Db, F>): Consumer;
}

/** Returns the `on` of a service, typed for its database and the services that it calls. */
export function consumers<Db, Rpc = Record<never, never>>(): DeclareConsumer<Db, Rpc> {
  const on = (event: EventMessage<unknown>, name: string, ...steps: [never, never?]) =>
    steps.length === 1 ? { event, name, handle: steps[0] } : { event, name, prepare: steps[0], handle: steps[1] };
  return on as unknown as DeclareConsumer<Db, Rpc>;
}

interface ConsumerContext {
  bus: Bus;
  database: Database;
  log: Log;
  /** Creates clients that act for the service itself. */
  rpc(caller: null, request_id: string): unknown;
}

/** Waits after the first, second, … failure, in milliseconds. After the last one the message becomes a dead letter. */
const BACKOFF_MS = [200, 1_000, 2_000, 5_000];
/**
 * The number of attempts without a warning. An event that arrives before its record succeeds at the second attempt,
 * without an operator.
 */
const QUIET_ATTEMPTS = 2;

const INBOX = 'INSERT INTO inbox (consumer, event_id) VALUES ($1, $2) ON CONFLICT DO NOTHING';
const BLOCKED = `SELECT FROM dead_letters WHERE consumer = $1 AND replayed_at IS NULL
  AND envelope ->> 'aggregate_id' = $2
  AND coalesce(envelope -> 'position', envelope -> 'aggregate_version') < to_jsonb($3::bigint) LIMIT 1`;
const ADD_DEAD_LETTER = `INSERT INTO dead_letters (consumer, event_id, envelope, reason, attempts) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (consumer, event_id) DO UPDATE SET reason = EXCLUDED.reason, attempts = EXCLUDED.attempts,
    failed_at = clock_timestamp(), replayed_at = NULL`;
const REPLAYED = 'UPDATE dead_letters SET replayed_at = now() WHERE consumer = $1 AND event_id = $2';

/** A message that no further attempt can process. */
class UnprocessableEvent extends Error {}

/** Parses an envelope. @throws Poison for an invalid envelope or an unknown schema */
function parseEnvelope(received: object, event: EventMessage<unknown>): Envelope {
  const { data: envelope, error } = Envelope.safeParse(received);
  if (error) throw new UnprocessableEvent(`The envelope is malformed: ${z.prettifyError(error)}`);
  const [found, known] = [envelope.schema_version, schemaVersion(event)];
  if (found !== known)
    throw new UnprocessableEvent(
      `The message has schema ${found}, but this service knows ${known}. Update the service, then replay the message.`,
    );
  return envelope;
}

/**
 * Returns true if a dependency is down, which is not a fault of the message. A timeout may be the message's fault, but not
 * if another transaction kept a lock. A record that is being deleted can be referred to again if the deletion is
 * rejected. The event waits for that too.
 */
function isOutage(error: unknown): boolean {
  const refusal = databaseFault(error);
  if (refusal?.code === BeingDeleted.code) return true;
  return refusal !== undefined && refusal.status > 500 && (!isTimeout(refusal) || isLockTimeout(refusal));
}

/**
 * Runs one of the chassis's own statements. They are always valid, so a failure means that the database is unavailable.
 */
const executeStatement = (database: Database, text: string, values: unknown[]) =>
  database.pool.query(text, values).catch((cause: unknown) => {
    throw Object.assign(Unavailable(), { cause });
  });

/**
 * Returns true if a received message is to be stored for a consumer. In doubt it is stored: a message that cannot be
 * understood becomes a dead letter and is not skipped.
 */
function isAddressed({ event: message, concerns }: Consumer, received: object): boolean {
  const { data: envelope } = Envelope.safeParse(received);
  if (!concerns || envelope?.schema_version !== schemaVersion(message)) return true;
  try {
    return concerns(message.fromJSON(envelope.data) as never);
  } catch {
    return true;
  }
}

/** Applies an event once. */
async function apply(
  consumer: Consumer,
  received: ReceivedEvent,
  tools: ConsumerContext & { unslotted: Unslotted },
): Promise<void> {
  const { name, event: message, concerns, prepare, handle } = consumer;
  const { database, rpc, unslotted } = tools;
  const envelope = parseEnvelope(received.envelope, message);
  const { id, workspace_id, trace_id, aggregate_id, position } = envelope;
  const blocked =
    received.follows_dead_letter && (await executeStatement(database, BLOCKED, [name, aggregate_id, position]));
  if (blocked && blocked.rowCount)
    throw new UnprocessableEvent(
      'An earlier event of the same record is a dead letter. Replay that event first; it may include this one.',
    );
  const request_id = envelope.request_id ?? trace_id ?? randomUUID();
  const taken = { event: message.fromJSON(envelope.data), envelope };
  const prepared = prepare && (await unslotted(() => prepare({ ...taken, rpc: rpc(null, request_id) as never })));
  const context = { workspace_id, trace_id, caller: null, operation: `consumer:${name}`, request_id };
  await database.write(context, async (db, emit) => {
    const inbox = await execute(INBOX, [name, id]);
    // The event may have been stored by a release that skipped nothing.
    const isConcerned = !concerns || concerns(taken.event as never);
    if (inbox.rowCount && isConcerned) await handle({ ...taken, db: db as never, emit, prepared: prepared as never });
  });
  if (received.is_dead_letter) await executeStatement(database, REPLAYED, [name, id]);
}

/**
 * Returns the reason why an event could not be processed, for an operator. For a fault, the reason includes its fields.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const fields = error instanceof Fault ? Object.entries(error.errors ?? {}) : [];
  return [error.message, ...fields.map(([field, messages]) => `${field}: ${messages.join(' ')}`)].join(' ');
}

/** Returns the log fields of an event. */
function logFields(consumer: Consumer, { event_id, envelope, attempts }: ReceivedEvent) {
  const { workspace_id, request_id, trace_id } = envelope as Partial<Envelope>;
  return { consumer: consumer.name, event_id, workspace_id, request_id, trace_id, attempt: attempts + 1 };
}

/** The outage of each consumer. */
type Outages = ReadonlyMap<string, OutageLog>;

/** Processes an event, makes it a dead letter, or returns when to retry. Outages do not count as attempts. */
async function processEvent(
  consumer: Consumer,
  received: ReceivedEvent,
  tools: ConsumerContext & { unslotted: Unslotted; outages: Outages },
): Promise<EventOutcome> {
  const { event_id, envelope, attempts } = received;
  const outage = tools.outages.get(consumer.name)!;
  const log = tools.log.child(logFields(consumer, received));
  try {
    await apply(consumer, received, tools);
    outage.end();
    log.debug('Event processed');
    return 'done';
  } catch (error) {
    const again_ms = BACKOFF_MS[attempts];
    if (isOutage(error)) {
      outage.failed(log, error, 'Event processing waits for an unavailable dependency; retrying');
      return 'outage';
    }
    if (again_ms !== undefined && !(error instanceof UnprocessableEvent)) {
      const level = attempts < QUIET_ATTEMPTS ? 'info' : 'warn';
      log[level]({ err: error }, 'Event processing failed; retrying');
      return { again_ms };
    }
    log.error({ err: error }, 'Event processing failed; stored as a dead letter');
    await executeStatement(tools.database, ADD_DEAD_LETTER, [
      consumer.name,
      event_id,
      JSON.stringify(envelope),
      reasonOf(error),
      attempts + 1,
    ]);
    return 'dead_letter';
  }
}

/** Starts the consumers of a service. @throws if two have the same name, because they would share one inbox */
export function startConsumers(consumers: readonly Consumer[], tools: ConsumerContext): Stoppable {
  const known = new Map(consumers.map((consumer) => [consumer.name, consumer]));
  const twice = consumers.find((consumer) => known.get(consumer.name) !== consumer);
  if (twice) throw new Error(`Two consumers are called ${twice.name}.`);
  if (consumers.length === 0) return { stop: () => Promise.resolve() };
  const outages: Outages = new Map(consumers.map(({ name }) => [name, new OutageLog()]));
  const partitions = startPartitions({
    ...tools,
    names: [...known.keys()],
    process: (name, received, unslotted) => processEvent(known.get(name)!, received, { ...tools, unslotted, outages }),
  });
  const sources = consumers.map((consumer) => ({
    name: consumer.name,
    subject: eventName(consumer.event),
    ...(consumer.concerns && { takes: (received: object) => isAddressed(consumer, received) }),
  }));
  const intake = startIntake(sources, { ...tools, wake: partitions.wake });
  const stop = async () => {
    await Promise.all([intake.stop(), partitions.stop()]);
  };
  return { stop };
}
