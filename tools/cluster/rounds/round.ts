/** A round: load, a failure, its repair, and the checks afterwards. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findAllViolations } from '../../audit/audited.ts';
import { waitUntilIdle } from '../../audit/quiescence.ts';
import { discrepancies } from '../../load/effects.ts';
import { expectedEffects, payrollEffects } from '../../load/expected-effects.ts';
import type { Cluster, Failure } from '../failures/failure.ts';
import { untilComplete } from '../site/servers.ts';
import type { ClusteredSuite } from '../site/suite.ts';
import { evaluate, type RoundResult } from './gates.ts';
import { type LoadFixture, startLoad } from './load.ts';

/** Load before the failure, and after the repair. */
const BEFORE_MS = 10_000;
const AFTER_MS = 15_000;
/** Longest wait until events are processed and sagas have ended. */
const IDLE_MS = 180_000;

/** The effects of the load. */
const KINDS = ['lead', 'draft', 'posting'];
const effects = [...expectedEffects.filter(({ kind }) => KINDS.includes(kind)), ...payrollEffects];

/** Load before the first round: new processes have compiled little of their code. */
const WARM_UP_MS = 20_000;

/** Runs the load without a failure. @param folder receives the record of the load */
export async function warmUp(suite: ClusteredSuite, fixtures: readonly LoadFixture[], folder: string): Promise<void> {
  const load = await startLoad(suite, fixtures, folder);
  await pause(WARM_UP_MS);
  await load.stop();
}

/** Waits until every process of the suite is ready. */
const untilReady = ({ suite }: Cluster): Promise<unknown> =>
  Promise.all(Object.values(suite.processes).map((process) => process.ready()));

/**
 * Runs a round.
 * @param folder receives the record of the load and the findings
 */
export async function runRound(
  cluster: Cluster,
  failure: Failure,
  fixtures: readonly LoadFixture[],
  folder: string,
): Promise<RoundResult> {
  const { suite, machines } = cluster;
  const load = await startLoad(suite, fixtures, folder);
  await pause(BEFORE_MS);
  const struck_at = performance.now();
  const repair = await failure.strike(cluster);
  await pause(failure.lasts_ms);
  await repair();
  await pause(AFTER_MS);
  const measured = await load.stop();
  await untilComplete(machines);
  await untilReady(cluster);
  await waitUntilIdle(suite, IDLE_MS);
  const checks = fixtures.map(({ workspace, outcomes }) => discrepancies(suite, workspace.id, outcomes, effects));
  const wrong = (await Promise.all(checks)).flat();
  const violations = await findAllViolations(suite);
  const findings = [...wrong.map(({ sentence }) => sentence), ...violations, ...measured.contradictions];
  for (const finding of findings) appendFileSync(join(folder, 'findings.jsonl'), `${JSON.stringify(finding)}\n`);
  return evaluate(
    { ...measured, started_at: load.started_at, struck_at, discrepancies: wrong, violations },
    failure.gate,
  );
}
