/** The auditor's rules about events: each processed event is in the journal of its publisher. */
import type { Inclusion, LaterSet } from '@suite/auditor';
import { eventName } from '@suite/chassis/declarations';
import { declaredServices } from '@suite/testing/declared';

/**
 * Hours for which each event is in the journal: the shortest JOURNAL_EVENTS_DAYS, without an hour. Clocks differ, and the
 * journal is read after the inbox.
 */
const HOURS = 7 * 24 - 1;

/**
 * The first ID of these hours. The IDs of events begin with the time of the event in milliseconds. Chosen instead of the
 * time of receipt: an event may be received days after it has left the journal.
 */
const FIRST_ID = `(SELECT (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7000-8000-000000000000')::uuid
  FROM lpad(to_hex((extract(epoch FROM now() - interval '${HOURS} hours') * 1000)::bigint), 12, '0') AS hex)`;

/** The consumers of all services by the publisher of their events. */
const consumers = Map.groupBy(
  declaredServices.flatMap(({ name: service, consumers: own = [] }) =>
    own.map((consumer) => ({ service, ...consumer })),
  ),
  ({ event }) => String(eventName(event).split('.')[0]),
);

const processedBy = (service: string, publisher: string, names: readonly string[]): LaterSet => {
  const processed = `FROM inbox WHERE consumer IN (${names.map((name) => `'${name}'`).join(', ')})`;
  return {
    name: `every event that ${service} has processed is in the journal of ${publisher}`,
    service,
    sql: `SELECT event_id AS id ${processed} AND event_id >= ${FIRST_ID} AND substr(event_id::text, 15, 1) = '7'`,
    report: `SELECT event_id AS id, string_agg(consumer, ', ' ORDER BY consumer) AS consumers
      ${processed} AND event_id = ANY($1::uuid[]) GROUP BY event_id ORDER BY event_id`,
  };
};

/** Rules for each publisher and each service that has processed its events. */
export const inboxRules: readonly Inclusion[] = [...consumers].map(([publisher, all]): Inclusion => {
  const services = Map.groupBy(all, ({ service }) => service);
  return {
    later: [...services].map(([service, own]) =>
      processedBy(
        service,
        publisher,
        own.map(({ name }) => name),
      ),
    ),
    earlier: {
      service: publisher,
      sql: {
        // The clocks of a process and of its database may differ by a day.
        journal: `SELECT (event ->> 'id')::uuid AS id FROM journal CROSS JOIN LATERAL json_array_elements(events) AS event
          WHERE events IS NOT NULL AND at > now() - interval '${HOURS + 24} hours'`,
        outbox: 'SELECT id FROM outbox',
      },
    },
  };
});
