/** What must have come of each write, exactly once, whatever was killed meanwhile. */
import { eventName, type Service } from '@suite/chassis/declarations';
import { crm } from '@suite/crm';
import { finance } from '@suite/finance';
import { inventory } from '@suite/inventory';
import { platform } from '@suite/platform';
import type { StartedSuite } from '../suite/started.ts';
import { type Mark, marks } from './marks.ts';
import type { Outcome } from './recorder.ts';

const services: Record<string, Pick<Service, 'consumers'>> = { crm, finance, inventory, platform };

/** How often a mark is found, by what it names. */
async function found(suite: StartedSuite, mark: Mark, workspace_id: string): Promise<Map<string, number>> {
  const { service, names, from, where } = mark;
  const rows = await suite.sql<{ name: string; times: number }>(
    service,
    `SELECT (${names})::text AS name, count(*)::int AS times FROM ${from}
     WHERE ${from.split(' ')[0]}.workspace_id = $1 AND (${where}) GROUP BY 1`,
    [workspace_id],
  );
  return new Map(rows.map(({ name, times }) => [name, times]));
}

/** What is missing, doubled or there without having been acknowledged. */
export async function discrepancies(
  suite: StartedSuite,
  workspace_id: string,
  outcomes: readonly Outcome[],
): Promise<string[]> {
  const wrong = await Promise.all(
    marks.map(async (mark) => {
      const times = await found(suite, mark, workspace_id);
      // A mark names either the errand's marker, or the record that was answered.
      const expected = outcomes
        .filter(({ kind, outcome }) => kind === mark.kind && outcome === 'ok')
        .map(({ marker, reply }) => [marker, String(reply?.body.data.id)]);
      const known = new Set(expected.flat());
      const tell = (name: string, what: string) =>
        `${mark.kind} ${name}: ${mark.names} of ${mark.from} (${mark.service}) ${what}`;
      const unlike = expected.map(
        ([marker = '', id = '']) => [marker, times.get(marker) ?? times.get(id) ?? 0] as const,
      );
      return [
        ...(expected.length === 0 ? [tell('', 'cannot be told: no such write was acknowledged')] : []),
        ...unlike.filter(([, often]) => often !== 1).map(([name, often]) => tell(name, `is there ${often} times`)),
        ...[...times.keys()]
          .filter((name) => !known.has(name))
          .map((name) => tell(name, 'is there, and nobody was told so')),
      ];
    }),
  );
  return wrong.flat();
}

/** Events that a consumer of another service has not taken in, and messages that were parked. */
export async function unheard(suite: StartedSuite): Promise<string[]> {
  const missed = Object.entries(services).map(async ([service, { consumers = [] }]) => {
    const heard = await suite.sql<{ heard: string }>(service, `SELECT consumer || ' ' || event_id AS heard FROM inbox`);
    const taken = new Set(heard.map((one) => one.heard));
    const expected = consumers.map(async ({ name, event }) => {
      const type = eventName(event);
      const speaker = String(type.split('.')[0]);
      const said = await suite.sql<{ id: string }>(speaker, 'SELECT id FROM outbox WHERE type = $1', [type]);
      return said.map(({ id }) => `${name} ${id}`);
    });
    const parked = await suite.sql<{ consumer: string; reason: string }>(
      service,
      'SELECT consumer, reason FROM parked_messages',
    );
    return [
      ...(await Promise.all(expected)).flat().filter((one) => !taken.has(one)),
      ...parked.map(({ consumer, reason }) => `${consumer} parked a message: ${reason}`),
    ];
  });
  return (await Promise.all(missed)).flat();
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

/** Sagas that have not come to an end: what documents show as `pending_effects`. */
export async function unfinished(suite: StartedSuite): Promise<string[]> {
  const open = [
    [
      'finance',
      `SELECT document_type || ' ' || state AS saga FROM stock_sagas WHERE state NOT IN ('settled', 'reversed')`,
    ],
    ['crm', `SELECT 'order ' || state AS saga FROM order_reservations WHERE state NOT IN ('reserved', 'released')`],
  ] as const;
  const rows = await Promise.all(open.map(([service, sql]) => suite.sql<{ saga: string }>(service, sql)));
  return rows.flat().map(({ saga }) => saga);
}
