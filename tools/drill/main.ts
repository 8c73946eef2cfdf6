/**
 * `npm run drill [-- --rounds <n>]`: practises recovery under load, and stores the results. Ends non-zero if a part misses its
 * goals.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { growCluster } from './ballast.ts';
import { startDrilledSuite } from './drilled-suite.ts';
import { keepBus } from './kept-bus.ts';
import { openAccount } from './load.ts';
import { meetsGoals, reportOf } from './report.ts';
import { type Round, runRound } from './rounds.ts';
import { reconcileClusters } from './separate-clusters.ts';

const RESULTS = 'docs/operations/results/drill.md';

// The arguments, already validated by scripts/drill.mjs.
const [count = '10', place = ''] = process.argv.slice(2);
const places = { data: join(place, 'data'), folder: join(place, 'backups') };

let suite = await startDrilledSuite(places.data);
try {
  await growCluster(places.data);
  const account = await openAccount(suite);
  const rounds: Round[] = [];
  while (rounds.length < Number(count)) {
    const kind = rounds.length % 2 === 0 ? 'data folder lost' : 'point in time';
    const { restored, round } = await runRound(suite, kind, account, places);
    suite = restored;
    rounds.push(round);
    console.log(JSON.stringify(round));
  }
  const { restored, result: kept_bus } = await keepBus(suite, account, places);
  suite = restored;
  console.log(JSON.stringify(kept_bus));
  const reconciliation = await reconcileClusters(suite, account, places);
  console.log(JSON.stringify(reconciliation));
  const results = { rounds, kept_bus, reconciliation };
  mkdirSync(dirname(RESULTS), { recursive: true });
  writeFileSync(RESULTS, reportOf(results));
  process.exitCode = meetsGoals(results) ? 0 : 1;
} finally {
  await suite.end('stop');
}
process.exit();
