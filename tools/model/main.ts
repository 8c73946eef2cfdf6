/**
 * `npm run model [-- <operations> [--seed <seed>]]`: runs n random operations on the real services, and compares each
 * with the model. Ends non-zero, with the fewest steps and the seed, if they differ.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSuite } from '@suite/local/suite';
import { openDatabases } from '@suite/testing/suite/asking';
import { findAllViolations } from '../audit/audited.ts';
import { simulate } from './simulation.ts';

// The arguments, already validated by scripts/model.mjs.
const [operations = 10_000, seed = 1] = process.argv.slice(2).map(Number);

const data = mkdtempSync(join(tmpdir(), 'suite-model-'));
const suite = await startSuite({ data, port: 'free', demo: false, fast: true, environment: { LOG_LEVEL: 'warn' } });
const { sql, end } = openDatabases(suite.databases);
try {
  console.log(`${operations} operations, seed ${seed}`);
  const tally = await simulate(suite, { operations, seed, say: (line) => console.log(line) });
  for (const [answer, times] of tally) console.log(`${String(times).padStart(6)}  ${answer}`);
  const found = await findAllViolations({ databases: suite.databases, sql }, { seams: false });
  for (const { check, row } of found) console.log(`✗ ${check}: ${JSON.stringify(row)}`);
  console.log(
    found.length === 0 ? 'The auditor found no violations.' : `The auditor found ${found.length} violations.`,
  );
  process.exitCode = found.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await end();
  await suite.stop();
  rmSync(data, { recursive: true, force: true });
}
