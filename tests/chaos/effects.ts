/** Checks the effects that each write must have, exactly once, regardless of the processes killed since then. */
import type { SharedSuite } from '@suite/testing/suite/started';
import { type ExpectedEffect, expectedEffects } from './expected-effects.ts';
import type { Outcome } from './recorder.ts';

/** Counts how often a mark is found, by the name it contains. */
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

/** Returns the effects that are missing, duplicated or not acknowledged. */
export async function discrepancies(
  suite: SharedSuite,
  workspace_id: string,
  outcomes: readonly Outcome[],
): Promise<string[]> {
  const wrong = await Promise.all(
    expectedEffects.map(async (mark) => {
      const times = await found(suite, mark, workspace_id);
      // The name of an expected effect is the scenario's marker or the returned record.
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
        ...(expected.length === 0 ? [tell('', 'cannot be checked: no such write was acknowledged')] : []),
        ...unlike.filter(([, often]) => often !== 1).map(([name, often]) => tell(name, `exists ${often} times`)),
        ...[...times.keys()]
          .filter((name) => !known.has(name))
          .map((name) => tell(name, 'exists without an acknowledged write')),
      ];
    }),
  );
  return wrong.flat();
}
