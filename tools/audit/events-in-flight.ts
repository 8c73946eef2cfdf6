/** Events that a service has not processed yet. The auditor ignores differences that such an event is about to end. */
import { type Databases, readRows } from '@suite/auditor';
import { eventName } from '@suite/chassis/declarations';
import { declaredServices } from '@suite/testing/declared';

/** Age after which an event no longer explains a difference. The alert for `events_oldest_seconds` begins at the same age. */
const MINUTES = 5;

interface SentEvent {
  id: string;
  type: string;
  record_id: string;
  data: unknown;
}

const SENT = `SELECT id, type, aggregate_id::text AS record_id, data FROM journal_events
  WHERE occurred_at > now() - interval '${MINUTES} minutes' AND aggregate_id = ANY($1::uuid[])`;
const PROCESSED = `SELECT consumer || ' ' || event_id AS done FROM inbox WHERE event_id = ANY($1::uuid[])
  UNION SELECT consumer || ' ' || event_id FROM dead_letters WHERE event_id = ANY($1::uuid[])`;

/**
 * Returns the records of another service with an event of the last minutes that the service has not processed. An event
 * whose processing failed for good counts as processed.
 */
export async function recordsInFlight(
  databases: Databases,
  { service, publisher }: { service: string; publisher: string },
  record_ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const sent = await readRows<SentEvent>(databases, publisher, SENT, [record_ids]);
  if (sent.length === 0) return new Set();
  const ids = sent.map(({ id }) => id);
  const rows = await readRows<{ done: string }>(databases, service, PROCESSED, [ids]);
  const processed = new Set(rows.map(({ done }) => done));
  const { consumers = [] } = declaredServices.find(({ name }) => name === service)!;
  const inFlight = consumers.flatMap(({ name, event, concerns = () => true }) =>
    sent.filter(
      ({ id, type, data }) =>
        type === eventName(event) && !processed.has(`${name} ${id}`) && concerns(event.fromJSON(data) as never),
    ),
  );
  return new Set(inFlight.map(({ record_id }) => record_id));
}
