/** Consumers: what a service does about an event. An event has its effect once, however often it is delivered. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Bus, Delivery, Stoppable, Take } from './bus.ts';
import type { Database } from '../database/database.ts';
import { databaseFault } from '../database/database-fault.ts';
import { type Emit, Envelope, type EventMessage, eventName, schemaVersion } from '../operation/events.ts';
import { Unavailable } from '../runtime/fault.ts';
import type { Log } from '../runtime/log.ts';
import { currentClient } from '../database/transaction.ts';

type Gather<T, Rpc, Facts> = (taken: { event: T; envelope: Envelope; rpc: Rpc }) => Promise<Facts>;
type Handle<T, Db, Facts> = (taken: {
  event: T;
  envelope: Envelope;
  db: Db;
  emit: Emit;
  facts: Facts;
}) => Promise<unknown>;

/** What a service does about one event. The name is the durable subscription and the key in the inbox. */
export interface Consumer {
  name: string;
  event: EventMessage<unknown>;
  /** Asks other services, before the transaction. */
  gather?: Gather<unknown, never, unknown>;
  /** Runs in one transaction with the inbox row, confined to the event's workspace. */
  handle: Handle<unknown, never, never>;
}

/** Declares a consumer, with or without facts to gather first. */
export interface On<Db, Rpc> {
  <T>(event: EventMessage<T>, name: string, handle: Handle<T, Db, undefined>): Consumer;
  <T, F>(event: EventMessage<T>, name: string, gather: Gather<T, Rpc, F>, handle: Handle<T, Db, F>): Consumer;
}

/** The `on` of a service, bound to its database and to the services that it calls. */
export function consumers<Db, Rpc = Record<never, never>>(): On<Db, Rpc> {
  const on = (event: EventMessage<unknown>, name: string, ...steps: [never, never?]) =>
    steps.length === 1 ? { event, name, handle: steps[0] } : { event, name, gather: steps[0], handle: steps[1] };
  return on as unknown as On<Db, Rpc>;
}

interface Tools {
  bus: Bus;
  database: Database;
  log: Log;
  /** Makes clients that speak for the service itself. */
  rpc(caller: null, request_id: string): unknown;
}

/** Waits after the first, second, … failure; after the last of them the message is parked. */
const BACKOFF_MS = [200, 1_000, 2_000, 5_000];
const HOLD_MS = 500;
/** Waited too long for a lock, or took too long: that may be the message's own doing. */
const SLOW = new Set(['55P03', '57014']);

const INBOX = 'INSERT INTO inbox (consumer, event_id) VALUES ($1, $2) ON CONFLICT DO NOTHING';
const BLOCKED = `SELECT FROM parked_messages WHERE consumer = $1 AND replayed_at IS NULL
  AND envelope ->> 'aggregate_id' = $2 AND (envelope ->> 'aggregate_version')::int < $3 LIMIT 1`;
const PARK = `INSERT INTO parked_messages (consumer, event_id, envelope, reason, attempts) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (consumer, event_id) DO UPDATE SET reason = EXCLUDED.reason, attempts = EXCLUDED.attempts, parked_at = now()`;
const REPLAYED = 'UPDATE parked_messages SET replayed_at = now() WHERE consumer = $1 AND event_id = $2';

/** A message that no further attempt can make any better. */
class Poison extends Error {}

/** Parses JSON into what PostgreSQL can store, whatever it is. */
function read(payload: string): unknown {
  const storable = (text: string) => text.replaceAll('\0', '').toWellFormed();
  try {
    return JSON.parse(payload, (_, value) => (typeof value === 'string' ? storable(value) : value));
  } catch {
    return { undecodable: storable(payload) };
  }
}

/** @throws Poison for what is no envelope, or of a schema that is not known here */
function open(payload: string, event: EventMessage<unknown>): Envelope {
  const { data: envelope, error } = Envelope.safeParse(read(payload));
  if (error) throw new Poison(`The envelope is malformed: ${z.prettifyError(error)}`);
  const [found, known] = [envelope.schema_version, schemaVersion(event)];
  if (found !== known) throw new Poison(`Its schema is ${found}; ${known} is known here.`);
  return envelope;
}

/** Whether something that we depend on is down, which is no fault of the message. */
function isOutage(error: unknown): boolean {
  const refusal = databaseFault(error);
  const { code } = (refusal?.cause ?? {}) as { code?: string };
  return refusal !== undefined && refusal.status > 500 && !SLOW.has(code ?? '');
}

/** The chassis's own statements cannot be wrong: when one fails, the database is not there. */
const ask = (database: Database, text: string, values: unknown[]) =>
  database.pool.query(text, values).catch((cause: unknown) => {
    throw Object.assign(Unavailable(), { cause });
  });

async function apply(consumer: Consumer, { payload, addressed }: Delivery, { database, rpc }: Tools): Promise<void> {
  const { name, event: message, gather, handle } = consumer;
  const envelope = open(payload, message);
  const { id, workspace_id, trace_id, aggregate_id, aggregate_version } = envelope;
  const blocked = await ask(database, BLOCKED, [name, aggregate_id, aggregate_version]);
  if (blocked.rowCount) throw new Poison('An earlier event of the same record is parked.');
  const request_id = trace_id ?? randomUUID();
  const taken = { event: message.fromJSON(envelope.data), envelope };
  const facts = await gather?.({ ...taken, rpc: rpc(null, request_id) as never });
  const context = { workspace_id, trace_id, caller: null, operation: `consumer:${name}`, request_id };
  await database.write(context, async (db, emit) => {
    const inbox = await currentClient().query(INBOX, [name, id]);
    if (inbox.rowCount) await handle({ ...taken, db: db as never, emit, facts: facts as never });
  });
  if (addressed) await ask(database, REPLAYED, [name, id]);
}

/** Takes a message in, parks it, or says when to try again; outages are waited out and do not count as attempts. */
async function take(consumer: Consumer, delivery: Delivery, stopping: AbortSignal, tools: Tools): ReturnType<Take> {
  const { payload, attempt } = delivery;
  const log = tools.log.child({ consumer: consumer.name, attempt });
  for (;;) {
    try {
      await apply(consumer, delivery, tools);
      return undefined;
    } catch (error) {
      const retry_ms = BACKOFF_MS[attempt - 1];
      if (isOutage(error)) {
        log.warn({ err: error }, 'An event waits for something that is down.');
        if (stopping.aborted) return { retry_ms: HOLD_MS };
        await pause(HOLD_MS, undefined, { signal: stopping }).catch(() => undefined);
      } else if (retry_ms !== undefined && !(error instanceof Poison)) {
        log.warn({ err: error }, 'An event could not be taken in. It is tried again.');
        return { retry_ms };
      } else {
        log.error({ err: error }, 'An event is parked.');
        const envelope = read(payload) as { id?: unknown } | null;
        const id = z.uuid().safeParse(envelope?.id).data ?? randomUUID();
        const reason = error instanceof Error ? error.message : String(error);
        return void (await ask(tools.database, PARK, [consumer.name, id, JSON.stringify(envelope), reason, attempt]));
      }
    }
  }
}

/** Starts the consumers of a service. @throws when two have the same name: they would share one inbox */
export function startConsumers(consumers: readonly Consumer[], tools: Tools): Stoppable {
  const names = consumers.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new Error(`Two consumers are called ${twice}.`);
  const running = consumers.map((consumer) =>
    tools.bus.consume(consumer.name, eventName(consumer.event), (delivery, stopping) =>
      take(consumer, delivery, stopping, tools),
    ),
  );
  return { stop: async () => void (await Promise.all(running.map((each) => each.stop()))) };
}
