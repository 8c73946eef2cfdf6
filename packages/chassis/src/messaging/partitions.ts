/**
 * Partitions: received events take effect from here. Each workspace has its own partitions for each consumer. The
 * events of a partition take effect one after the other. Different partitions run concurrently, across all replicas.
 */
import { randomUUID } from 'node:crypto';
import type { Stoppable } from '../bus/bus.ts';
import type { Database } from '../database/database.ts';
import { queryPrepared } from '../database/statements.ts';
import { type Log, OutageLog } from '../runtime/log.ts';
import { WakeSignal } from '../runtime/wake-signal.ts';

/** Event that waits in a partition. */
export interface ReceivedEvent {
  event_id: string;
  envelope: object;
  /** Number of failed attempts. */
  attempts: number;
  /** True if the event is a dead letter that is being replayed. */
  is_dead_letter: boolean;
  /** The partition may contain an earlier dead letter of the same record. */
  follows_dead_letter: boolean;
}

/** The result of processing an event. */
export type EventOutcome = 'done' | 'dead_letter' | 'outage' | { again_ms: number };
/** Waits for other services. In the meantime the partition does not occupy a slot. */
export type Unslotted = <T>(work: () => Promise<T>) => Promise<T>;

interface Partition {
  consumer: string;
  workspace_id: string;
  slot: number;
  received: string;
  outages: number;
}

/** Last attempted event of a partition. */
interface LastAttempt {
  event_id: string;
  outcome: EventOutcome;
}

/**
 * Polling intervals. Events that this process receives, or releases for a retry, wake it. Polling finds the events of
 * other replicas.
 */
const POLL_MS = 250;
const IDLE_MS = 2_000;
/** Maximum number of events, and maximum time, before a partition moves to the end of the queue. */
const PAGE = 25;
const PAGE_MS = 1_000;
/** Lease of a partition. A holder that does not renew the lease in this time has died. */
const LEASE = `interval '10 seconds'`;
const RENEW_MS = 2_500;
const OUTAGE_MS = [250, 500, 1_000];
/** The number of connections that a service reserves for its callers. */
const RESERVED = 2;
/** Maximum number of partitions in progress, including partitions that wait for other services. */
const MOST = 64;

/** Avoids the wait for the disk: a change lost in a power cut is repeated without an effect. */
const QUICKLY = `quickly AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;
const CLAIM = `
  WITH ${QUICKLY}, chosen AS (
    SELECT consumer, workspace_id, slot FROM event_lanes, quickly
    WHERE consumer = ANY ($1) AND due_at <= now() AND workspace_id <> ALL ($3::uuid[])
    ORDER BY due_at LIMIT 1 FOR UPDATE OF event_lanes SKIP LOCKED)
  UPDATE event_lanes AS partition SET taken_by = $2, due_at = clock_timestamp() + ${LEASE} FROM chosen
  WHERE (partition.consumer, partition.workspace_id, partition.slot) = (chosen.consumer, chosen.workspace_id, chosen.slot)
  RETURNING partition.consumer, partition.workspace_id, partition.slot, partition.received, partition.outages`;
const RENEW = `UPDATE event_lanes SET due_at = clock_timestamp() + ${LEASE} WHERE taken_by = $1 AND due_at > now()`;
const READ = `
  SELECT event_id, envelope, attempts,
    EXISTS (SELECT FROM dead_letters AS p
      WHERE p.consumer = $1 AND p.event_id = e.event_id AND p.replayed_at IS NULL) AS is_dead_letter,
    EXISTS (SELECT FROM dead_letters AS p
      WHERE p.consumer = $1 AND p.replayed_at IS NULL AND p.envelope ->> 'aggregate_id' = e.envelope ->> 'aggregate_id') AS follows_dead_letter
  FROM received_events AS e WHERE consumer = $1 AND workspace_id = $2 AND slot = $3 ORDER BY place LIMIT ${PAGE}`;
const OWN_PARTITION = 'consumer = $1 AND workspace_id = $2 AND slot = $3 AND taken_by = $4';
const DONE = `${QUICKLY}, done AS (DELETE FROM received_events USING quickly WHERE consumer = $1 AND event_id = ANY ($5::uuid[]))`;
/** Removes a partition, unless it has received events since it was claimed. */
const REMOVE = `
  WITH ${DONE}
  DELETE FROM event_lanes WHERE ${OWN_PARTITION} AND received = $6 AND NOT EXISTS (
    SELECT FROM received_events AS e
    WHERE e.consumer = $1 AND e.workspace_id = $2 AND e.slot = $3 AND e.event_id <> ALL ($5::uuid[]))`;
const RELEASE = `
  WITH ${DONE}, failed AS (UPDATE received_events SET attempts = attempts + 1 WHERE consumer = $1 AND event_id = $6)
  UPDATE event_lanes SET taken_by = NULL, due_at = clock_timestamp() + $7 * interval '1 ms', outages = $8 WHERE ${OWN_PARTITION}`;

interface PartitionContext {
  database: Database;
  log: Log;
  /** The names of the known consumers. */
  names: string[];
  process(consumer: string, received: ReceivedEvent, unslotted: Unslotted): Promise<EventOutcome>;
}

/** Partitions that this process works on. */
class PartitionSlots {
  readonly #most: number;
  readonly #workspaces = new Map<string, number>();
  #unslotted = 0;
  #used = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get #free(): number {
    return this.#most - (this.#used - this.#unslotted);
  }

  get free(): boolean {
    return this.#free > 0 && this.#used < MOST;
  }

  /** Returns the workspaces that get no further slot: the last half is reserved for workspaces without one. */
  get served(): string[] {
    return this.#free > this.#most / 2 ? [] : [...this.#workspaces.keys()];
  }

  async use(workspace_id: string, work: () => Promise<void>): Promise<void> {
    this.#count(workspace_id, 1);
    await work().finally(() => this.#count(workspace_id, -1));
  }

  unslotted: Unslotted = async (work) => {
    this.#unslotted += 1;
    return await work().finally(() => {
      this.#unslotted -= 1;
    });
  };

  #count(workspace_id: string, by: 1 | -1): void {
    this.#used += by;
    const now = (this.#workspaces.get(workspace_id) ?? 0) + by;
    if (now) this.#workspaces.set(workspace_id, now);
    else this.#workspaces.delete(workspace_id);
  }
}

/** Processing of partitions by one replica. */
class Partitions {
  readonly #tools: PartitionContext;
  readonly #stopping: AbortSignal;
  readonly #holder = randomUUID();
  readonly #slots: PartitionSlots;
  readonly #running = new Set<Promise<void>>();
  readonly #wakeSignal = new WakeSignal();
  readonly #outage = new OutageLog();

  constructor(tools: PartitionContext, stopping: AbortSignal) {
    this.#tools = tools;
    this.#stopping = stopping;
    this.#slots = new PartitionSlots(Math.max(tools.database.requests.options.max - RESERVED, 1));
    stopping.addEventListener('abort', this.wake);
  }

  wake = (): void => this.#wakeSignal.wake();

  /** Claims due partitions while there are free slots, until stopped. */
  async work(): Promise<void> {
    const renewing = setInterval(() => void this.#renew().catch(() => undefined), RENEW_MS);
    let found = false;
    while (!this.#stopping.aborted) {
      this.#wakeSignal.begin();
      const partition = this.#slots.free ? await this.#claim() : undefined;
      if (partition) this.#begin(partition);
      else await this.#wakeSignal.sleepLonger(found || this.#running.size > 0, POLL_MS, IDLE_MS);
      found = partition !== undefined;
    }
    await Promise.all(this.#running);
    clearInterval(renewing);
  }

  #query = (text: string, values: unknown[]) => queryPrepared(this.#tools.database.pool, text, values);

  async #renew(): Promise<void> {
    if (this.#running.size > 0) await this.#query(RENEW, [this.#holder]);
  }

  async #claim(): Promise<Partition | undefined> {
    try {
      const { rows } = await this.#query(CLAIM, [this.#tools.names, this.#holder, this.#slots.served]);
      this.#outage.end();
      return rows[0];
    } catch (error) {
      this.#outage.failed(this.#tools.log, error, 'Event partitions could not be claimed; retrying');
      return undefined;
    }
  }

  #begin(partition: Partition): void {
    const working = this.#slots
      .use(partition.workspace_id, () => this.#process(partition))
      .finally(() => {
        this.#running.delete(working);
        this.wake();
      });
    this.#running.add(working);
  }

  /**
   * Processes the events of a partition, then releases it. During an outage, releases it as soon as the database
   * answers again.
   */
  async #process(partition: Partition): Promise<void> {
    const { consumer, workspace_id } = partition;
    await this.#processPage(partition).catch(async (error: unknown) => {
      this.#tools.log.warn({ err: error, consumer, workspace_id }, 'Event processing failed; retrying later');
      const release = () => this.#release(partition, [], false).then(() => true);
      while (!(await release().catch(() => this.#stopping.aborted))) await this.#wakeSignal.sleep(POLL_MS);
    });
  }

  async #processPage(partition: Partition): Promise<void> {
    const { consumer, workspace_id, slot } = partition;
    const rows: ReceivedEvent[] = (await this.#query(READ, [consumer, workspace_id, slot])).rows;
    const done: string[] = [];
    const began = performance.now();
    let last: LastAttempt | undefined;
    let hasDeadLetter = false;
    for (const received of rows) {
      if (this.#stopping.aborted || performance.now() - began > PAGE_MS) break;
      const follows_dead_letter = received.follows_dead_letter || hasDeadLetter;
      const outcome = await this.#tools.process(consumer, { ...received, follows_dead_letter }, this.#slots.unslotted);
      hasDeadLetter ||= outcome === 'dead_letter';
      last = { event_id: received.event_id, outcome };
      if (outcome !== 'done' && outcome !== 'dead_letter') break;
      done.push(received.event_id);
    }
    await this.#release(partition, done, done.length === rows.length && rows.length < PAGE, last);
  }

  /** Releases a partition. The events in `done` are finished, and the others wait for the next run. */
  async #release(partition: Partition, done: string[], isAll: boolean, last?: LastAttempt): Promise<void> {
    const { consumer, workspace_id, slot, received } = partition;
    const own = [consumer, workspace_id, slot, this.#holder, done];
    if (isAll && (await this.#query(REMOVE, [...own, received])).rowCount) return;
    const outages = last?.outcome === 'outage' ? partition.outages + 1 : 0;
    const failed = typeof last?.outcome === 'object' ? last.outcome.again_ms : undefined;
    const wait_ms = failed ?? OUTAGE_MS[Math.min(outages, OUTAGE_MS.length) - 1] ?? 0;
    await this.#query(RELEASE, [...own, failed === undefined ? null : last!.event_id, wait_ms, outages]);
    if (wait_ms > 0) setTimeout(this.wake, wait_ms).unref();
  }
}

/** Processes the events of all partitions, until stopped. */
export function startPartitions(tools: PartitionContext): Stoppable & { wake(): void } {
  const stopping = new AbortController();
  const partitions = new Partitions(tools, stopping.signal);
  const working = partitions.work();
  const stop = async () => {
    stopping.abort();
    await working;
  };
  return { stop, wake: partitions.wake };
}
