/** Checks the effects that each write must have, exactly once, regardless of the processes killed since then. */
import type { DatabaseAccess } from '@suite/testing/suite/asking';
import { type ExpectedEffect, expectedEffects } from './expected-effects.ts';
import type { Outcome } from './recorder.ts';

type Queried = Pick<DatabaseAccess, 'sql'>;

/** An effect that does not exist exactly once, or that no acknowledged write explains. */
export interface Discrepancy {
  sentence: string;
  /** Number of times that the effect exists. */
  times: number;
  is_acknowledged: boolean;
}

/** Counts how often a mark is found, by the name it contains. */
async function found(suite: Queried, mark: ExpectedEffect, workspace_id: string): Promise<Map<string, number>> {
  const { service, names, from, where } = mark;
  const rows = await suite.sql<{ name: string; times: number }>(
    service,
    `SELECT (${names})::text AS name, count(*)::int AS times FROM ${from}
     WHERE ${from.split(' ')[0]}.workspace_id = $1 AND (${where}) GROUP BY 1`,
    [workspace_id],
  );
  return new Map(rows.map(({ name, times }) => [name, times]));
}

/**
 * Returns the effects that are missing, duplicated or not acknowledged.
 * @param effects defaults to the effects of every kind of write. A kind without an acknowledged write is reported.
 */
export async function discrepancies(
  suite: Queried,
  workspace_id: string,
  outcomes: readonly Outcome[],
  effects: readonly ExpectedEffect[] = expectedEffects,
): Promise<Discrepancy[]> {
  const wrong = await Promise.all(
    effects.map(async (mark) => {
      const times = await found(suite, mark, workspace_id);
      // The name of an expected effect is the scenario's marker or the returned record.
      const expected = outcomes
        .filter(({ kind, outcome }) => kind === mark.kind && outcome === 'ok')
        .map(({ marker, reply }) => [marker, String(reply?.body.data.id)]);
      const known = new Set(expected.flat());
      const report = (name: string, count: number, is_acknowledged: boolean, what: string): Discrepancy => ({
        sentence: `${mark.kind} ${name}: ${mark.names} of ${mark.from} (${mark.service}) ${what}`,
        times: count,
        is_acknowledged,
      });
      const counted = expected.map(
        ([marker = '', id = '']) => [marker, times.get(marker) ?? times.get(id) ?? 0] as const,
      );
      return [
        ...(expected.length === 0 ? [report('', 0, false, 'cannot be checked: no such write was acknowledged')] : []),
        ...counted
          .filter(([, count]) => count !== 1)
          .map(([name, count]) => report(name, count, true, `exists ${count} times`)),
        ...[...times]
          .filter(([name]) => !known.has(name))
          .map(([name, count]) => report(name, count, false, 'exists without an acknowledged write')),
      ];
    }),
  );
  return wrong.flat();
}
