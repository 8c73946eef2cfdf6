/**
 * Schedule that fetches past events from the provider. A webhook delivers each event once: a database that was restored to an
 * earlier time lacks later events, such as the purchase of a subscription. It also contains the earlier time of the last fetch.
 * Events of connected accounts are not in the provider's list. Their state is read when their instance shows it.
 */
import { sql } from '@suite/chassis/database';
import { Fault } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import { declareSchedule, findEverywhere, type JobContext, jobTransaction } from '@suite/chassis/service';
import type { Db } from '../../operations.ts';
import type { Mode } from '../instances/instance.rules.ts';
import { isModeEnabled, providerIn } from '../payments/payments.ts';
import { OWN_EVENT_TYPES, parseEvent } from './event.rules.ts';
import { receiveEvent } from './receive.ts';

const NAME = 'platform.fetch-payment-events';
const HOUR_MS = 3_600_000;
/** Period for which the provider keeps events. */
const KEPT_MS = 30 * 24 * HOUR_MS;
/** The provider may list an event later than its time. */
const OVERLAP_MS = HOUR_MS;

/** Receives an event. Returns false if it was received before, or if the provider sent invalid content. */
async function receive({ database, log }: JobContext<Db>, mode: Mode, body: Buffer): Promise<boolean> {
  const write = <T>(work: Parameters<typeof database.write<T>>[1]) => database.write(jobTransaction(NAME, null), work);
  try {
    const sender = { mode, instance_id: null };
    const { duplicate } = await receiveEvent(
      { read: (work) => write((db) => work(db)), write },
      sender,
      parseEvent(body),
    );
    return !duplicate;
  } catch (error) {
    if (!(error instanceof Fault) || error.status >= 500) throw error;
    log.error({ err: error }, 'Invalid event of the payment provider');
    return false;
  }
}

/** Receives the events since the last fetch, newest first. An older event of the same object then has no effect. */
async function fetchEvents(tools: JobContext<Db>, mode: Mode): Promise<void> {
  const { database, log } = tools;
  const now = clock.now();
  const [known] = await findEverywhere<{ fetched_until: string }>(
    database,
    NAME,
    sql`SELECT fetched_until FROM event_fetches WHERE provider_mode = ${mode}`,
  );
  const first_ms = now.getTime() - KEPT_MS;
  const since = new Date(Math.max(first_ms, known ? Date.parse(known.fetched_until) - OVERLAP_MS : first_ms));
  let received = 0;
  let next: string | undefined;
  do {
    const page = await providerIn(mode).events(since, OWN_EVENT_TYPES, next);
    for (const body of page.bodies) received += Number(await receive(tools, mode, body));
    next = page.next;
  } while (next !== undefined && !tools.stopping?.aborted);
  if (next !== undefined) return;
  await database.writeEverywhere(jobTransaction(NAME, null), (all) =>
    all.rows(sql`
      INSERT INTO event_fetches (provider_mode, fetched_until) VALUES (${mode}, ${now})
      ON CONFLICT (provider_mode) DO UPDATE SET fetched_until = EXCLUDED.fetched_until`),
  );
  if (received > 0) log.info({ mode, events: received }, 'Missing events of the payment provider received');
}

/** Runs every hour. After a failure, the next run fetches the same events again. */
export const fetchPaymentEvents = declareSchedule(NAME, HOUR_MS, async (tools: JobContext<Db>) => {
  for (const mode of (['live', 'test'] as const).filter(isModeEnabled)) await fetchEvents(tools, mode);
});
