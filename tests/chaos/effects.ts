/** Where each write must have left its mark, exactly once, whatever was killed meanwhile. */
import { crm } from '@suite/crm';
import { eventName } from '@suite/chassis/declarations';
import type { StartedSuite } from '../suite/started.ts';
import type { Outcome } from './recorder.ts';

/** A mark that a kind of write leaves. The query tells how often it is found, by the name or by the id of the record. */
interface Mark {
  kind: string;
  mark: string;
  by: 'marker' | 'id';
  service: string;
  /** `FROM … WHERE …`, and what of it names the record. */
  names: string;
  from: string;
}

const announced = (type: string): string =>
  `outbox JOIN leads ON leads.id = outbox.aggregate_id WHERE outbox.workspace_id = $1 AND type = '${type}'`;

const marks: Mark[] = [
  { kind: 'lead', mark: 'a lead', by: 'marker', service: 'crm', names: 'name', from: 'leads WHERE workspace_id = $1' },
  { kind: 'lead', mark: 'its event', by: 'marker', service: 'crm', names: 'name', from: announced('crm.lead.created') },
  {
    kind: 'lead',
    mark: 'its audit record',
    by: 'marker',
    service: 'crm',
    names: `after ->> 'name'`,
    from: `audit_log WHERE workspace_id = $1 AND table_name = 'leads' AND action = 'insert'`,
  },
  {
    kind: 'note',
    mark: 'a comment',
    by: 'marker',
    service: 'crm',
    names: 'comment',
    from: 'discussions WHERE workspace_id = $1',
  },
  {
    kind: 'move',
    mark: 'its event',
    by: 'marker',
    service: 'crm',
    names: 'name',
    from: announced('crm.lead.stage_changed'),
  },
  {
    kind: 'conversion',
    mark: 'a deal',
    by: 'marker',
    service: 'crm',
    names: 'name',
    from: 'deals WHERE workspace_id = $1',
  },
  {
    kind: 'conversion',
    mark: 'its event',
    by: 'marker',
    service: 'crm',
    names: 'name',
    from: announced('crm.lead.converted'),
  },
  {
    kind: 'conversion',
    mark: 'a client user',
    by: 'marker',
    service: 'platform',
    names: 'name',
    from: `users WHERE workspace_id = $1 AND kind = 'client'`,
  },
  {
    kind: 'conversion',
    mark: "crm's copy of the client",
    by: 'marker',
    service: 'crm',
    names: 'name',
    from: `users WHERE workspace_id = $1 AND kind = 'client'`,
  },
  {
    kind: 'invitation',
    mark: 'a user',
    by: 'id',
    service: 'platform',
    names: 'id::text',
    from: `users WHERE workspace_id = $1 AND kind = 'staff'`,
  },
  {
    kind: 'invitation',
    mark: 'its event',
    by: 'id',
    service: 'platform',
    names: 'aggregate_id::text',
    from: `outbox WHERE workspace_id = $1 AND type = 'platform.user.created' AND data ->> 'kind' = 'staff'`,
  },
  {
    kind: 'invitation',
    mark: 'a letter',
    by: 'id',
    service: 'platform',
    names: 'user_id::text',
    from: `outgoing_mail JOIN users ON users.id = user_id WHERE users.workspace_id = $1 AND users.kind = 'staff' AND letter = 'invitation'`,
  },
  {
    kind: 'departure',
    mark: "crm's knowledge of it",
    by: 'id',
    service: 'crm',
    names: 'id::text',
    from: `users WHERE workspace_id = $1 AND status = 'former'`,
  },
  {
    kind: 'departure',
    mark: 'a lead that was handed over',
    by: 'marker',
    service: 'crm',
    names: 'name',
    from: `activities JOIN leads ON leads.id = lead_id WHERE leads.workspace_id = $1 AND activities.type = 'updated' AND payload -> 'fields' ? 'owner_id'`,
  },
];

const named = ({ by }: Mark, { marker, reply }: Outcome): string =>
  by === 'marker' ? marker : String(reply?.body.data.id);

/** What is missing, doubled or there without having been acknowledged. */
export async function discrepancies(
  suite: StartedSuite,
  workspace_id: string,
  outcomes: readonly Outcome[],
): Promise<string[]> {
  const found = await Promise.all(
    marks.map(async (mark) => {
      const statement = `SELECT ${mark.names} AS name, count(*)::int AS times FROM ${mark.from} GROUP BY 1`;
      const rows = await suite.sql<{ name: string; times: number }>(mark.service, statement, [workspace_id]);
      const times = new Map(rows.map((row) => [row.name, row.times]));
      const expected = outcomes
        .filter(({ kind, outcome }) => kind === mark.kind && outcome === 'ok')
        .map((one) => named(mark, one));
      const wrong = expected.filter((name) => times.get(name) !== 1);
      const surplus = [...times.keys()].filter((name) => !expected.includes(name));
      return [
        ...wrong.map((name) => `${mark.kind} ${name}: ${mark.mark} is there ${times.get(name) ?? 0} times`),
        ...surplus.map((name) => `${mark.kind} ${name}: ${mark.mark} is there, and nobody was told so`),
      ];
    }),
  );
  return found.flat();
}

/** Events of platform that a consumer of crm has not taken in, and messages that were parked. */
export async function unheard(suite: StartedSuite): Promise<string[]> {
  const heard = await suite.sql<{ consumer: string; event_id: string }>('crm', 'SELECT consumer, event_id FROM inbox');
  const taken = new Set(heard.map(({ consumer, event_id }) => `${consumer} ${event_id}`));
  const said = await suite.sql<{ id: string; type: string }>('platform', 'SELECT id, type FROM outbox');
  const missed = (crm.consumers ?? []).flatMap(({ name, event }) =>
    said
      .filter(({ type, id }) => type === eventName(event) && !taken.has(`${name} ${id}`))
      .map(({ id }) => `${name} ${id}`),
  );
  const parked = await suite.sql<{ consumer: string; reason: string }>(
    'crm',
    'SELECT consumer, reason FROM parked_messages',
  );
  return [...missed, ...parked.map(({ consumer, reason }) => `${consumer} parked a message: ${reason}`)];
}

/** Events that are still on their way to the bus, over all services. */
export async function unpublished(suite: StartedSuite): Promise<number> {
  const counts = await Promise.all(
    Object.keys(suite.databases).map((service) =>
      suite.sql<{ left: number }>(service, 'SELECT count(*)::int AS left FROM outbox WHERE published_at IS NULL'),
    ),
  );
  return counts.flat().reduce((sum, { left }) => sum + left, 0);
}
