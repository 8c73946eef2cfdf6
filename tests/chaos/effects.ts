/** The effects that each write must have, exactly once, whatever was killed meanwhile. */
import type { SharedSuite } from '@suite/testing/suite/started';
import { type ExpectedEffect, expectedEffects } from './expected-effects.ts';
import type { Outcome } from './recorder.ts';

/** How often a mark is found, by what it names. */
async function found(suite: SharedSuite, mark: ExpectedEffect, workspace_id: string): Promise<Map<string, number>> {
  const { service, names, from, where } = mark;
  const rows = await suite.sql<{ name: string; times: number }>(
    service,
    `SELECT (${names})::text AS name, count(*)::int AS times FROM ${from}
     WHERE ${from.split(' ')[0]}.workspace_id = $1 AND (${where}) GROUP BY 1`,
    [workspace_id],
  );
  return new Map(rows.map(({ name, times }) => [name, times]));
}

/** The effects that are missing, doubled or there without having been acknowledged. */
export async function discrepancies(
  suite: SharedSuite,
  workspace_id: string,
  outcomes: readonly Outcome[],
): Promise<string[]> {
  const wrong = await Promise.all(
    expectedEffects.map(async (mark) => {
      const times = await found(suite, mark, workspace_id);
      // An expected effect names either the scenario's marker, or the record that was answered.
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
