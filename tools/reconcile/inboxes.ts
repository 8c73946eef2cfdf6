/** Processed events that their publisher does not have: it was restored to a time before them. */
import { checkInclusion, type Databases } from '@suite/auditor';
import { inboxRules } from '../audit/inbox-rules.ts';
import { inTransaction } from './databases.ts';
import type { Finding, RepairContext } from './difference.ts';

interface GhostEvent {
  id: string;
  consumers: string;
}

/**
 * Forgets processed events that do not exist. Chosen: inbox rows are not business records, and the publisher never uses their
 * IDs again. The rules about copies, references and amounts check what the event has changed.
 */
async function forget(
  { databases, say }: RepairContext,
  service: string,
  events: readonly GhostEvent[],
): Promise<void> {
  const ids = events.map(({ id }) => id);
  await inTransaction(String(databases[service]), (client) =>
    client.query('DELETE FROM inbox WHERE event_id = ANY($1::uuid[])', [ids]),
  );
  for (const { id, consumers } of events) say(`Forgot the event ${id}, which ${consumers} had processed`);
}

/** Finds processed events that no journal contains. */
export async function findGhostEvents(databases: Databases): Promise<Finding[]> {
  const findings = [];
  for (const rule of inboxRules) {
    const found = Map.groupBy(await checkInclusion(databases, rule), ({ check }) => check);
    for (const { name, service } of rule.later) {
      const events = (found.get(name) ?? []).map(({ row }) => row as unknown as GhostEvent);
      if (events.length === 0) continue;
      findings.push({
        rule: name,
        rows: events.map(({ id, consumers }) => `event ${id}, processed by ${consumers}`),
        advice: `Compare the records of ${service} that changed at the time of the event with ${rule.earlier.service}.`,
        repair: { order: 1, run: (context: RepairContext) => forget(context, service, events) },
      });
    }
  }
  return findings;
}
