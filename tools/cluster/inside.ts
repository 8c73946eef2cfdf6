/**
 * The inner process of `npm run cluster`, in namespaces of its own: starts the cluster and runs the rounds. Stops when
 * its standard input ends.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeMachine, type Machine } from '../bench/report/results.ts';
import { failures, planRounds } from './failures/failures.ts';
import type { Failure } from './failures/failure.ts';
import { clusterOptions } from './options.ts';
import { brokenRound } from './rounds/gates.ts';
import { openLoad } from './rounds/load.ts';
import { resultsPage, type Round, table } from './rounds/results.ts';
import { runRound, warmUp } from './rounds/round.ts';
import { startServers } from './site/servers.ts';
import { Site } from './site/site.ts';
import { type ClusteredSuite, startClusteredSuite } from './site/suite.ts';

const RESULTS = fileURLToPath(new URL('../../docs/operations/results/cluster.md', import.meta.url));

const say = (line: string) => process.stdout.write(`${line}\n`);
const interrupt = new AbortController();
const interrupted = new Promise<never>((_, reject) => {
  interrupt.signal.addEventListener('abort', () => reject(new Error('Interrupted.')));
});
interrupted.catch(() => undefined);
process.stdin.on('end', () => interrupt.abort()).resume();

const { data, rounds, only, writes_results } = clusterOptions(process.argv.slice(2));
const folders = {
  root: join(data, 'debian'),
  state: join(data, 'state'),
  suite: join(data, 'suite'),
  logs: join(data, 'logs'),
};

/** Creates a folder for the records of a load. */
function newLogFolder(name: string): string {
  const folder = join(folders.logs, name);
  mkdirSync(folder);
  return folder;
}

/**
 * Runs the rounds one after the other. The suite starts again before the first round through PgBouncer. A round that
 * ends with an error is the last one.
 */
async function runRounds(planned: readonly Failure[]): Promise<{ completed: Round[]; machine: Machine }> {
  const site = new Site(folders);
  await site.open();
  const servers = await startServers(site, join(folders.suite, 'keys'));
  say('✓ PostgreSQL, etcd and NATS on three machines, HAProxy and PgBouncer');
  const start = (is_pooled: boolean) =>
    startClusteredSuite(servers, { data: folders.suite, is_pooled, say, signal: interrupt.signal });
  const completed: Round[] = [];
  let is_pooled = planned[0]?.is_pooled ?? false;
  let suite: ClusteredSuite = await start(is_pooled);
  const fixtures = await openLoad(suite);
  const machine = await describeMachine(String(servers.databases['platform']));
  await warmUp(suite, fixtures, newLogFolder('warm-up'));
  for (const failure of planned) {
    if ((failure.is_pooled ?? false) !== is_pooled) {
      await suite.stop();
      is_pooled = !is_pooled;
      suite = await start(is_pooled);
      await warmUp(suite, fixtures, newLogFolder('warm-up-pgbouncer'));
    }
    const folder = newLogFolder(`round-${completed.length + 1}-${failure.name}`);
    const round = runRound({ machines: servers.machines, suite }, failure, fixtures, folder);
    const result = await round.catch(brokenRound);
    completed.push({ failure, result });
    say(JSON.stringify({ round: completed.length, failure: failure.name, ...result }));
    if (!result.is_complete) break;
  }
  await suite.stop();
  return { completed, machine };
}

async function main(): Promise<boolean> {
  const planned = planRounds(only, rounds);
  const { completed, machine } = await runRounds(planned);
  say(`\n${table(completed)}`);
  const isComplete = failures.every((failure) =>
    completed.some((round) => round.failure === failure && round.result.is_complete),
  );
  if (writes_results && isComplete) {
    mkdirSync(dirname(RESULTS), { recursive: true });
    const day = new Date().toISOString().slice(0, 10);
    writeFileSync(RESULTS, resultsPage(completed, { ...machine, load_average: loadavg()[2] ?? 0 }, day));
    say(`\nResults written to ${RESULTS}.`);
  } else if (writes_results) say('\nThe results page stays unchanged: it needs a completed round of every failure.');
  return completed.every(({ result }) => result.unmet.length === 0);
}

try {
  process.exitCode = (await Promise.race([main(), interrupted])) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
// All other processes in these namespaces end with this one.
process.exit();
