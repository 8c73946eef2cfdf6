/**
 * `npm run model [-- <operations> [--seed <seed>]]`: tries so many random operations on the real services, and compares
 * each with the model. Ends non-zero, with the fewest steps and the seed, when they do not agree.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startSuite } from '@suite/local/suite';
import { asking } from '../suite/asking.ts';
import { allViolations } from '../suite/audited.ts';
import { simulate } from './simulation.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } });
const operations = Number(positionals[0] ?? 10_000);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
if (!Number.isInteger(operations) || !Number.isInteger(seed)) {
  console.error('Write the number of operations, and a seed, as whole numbers: npm run model -- 10000 --seed 42');
  process.exit(2);
}

const data = mkdtempSync(join(tmpdir(), 'suite-model-'));
const suite = await startSuite({ data, port: 'free', demo: false, environment: { LOG_LEVEL: 'warn' } });
const { sql, end } = asking(suite.databases);
try {
  console.log(`${operations} operations, seed ${seed}`);
  const tally = await simulate(suite, { operations, seed, say: (line) => console.log(line) });
  for (const [answer, times] of tally) console.log(`${String(times).padStart(6)}  ${answer}`);
  const found = await allViolations({ databases: suite.databases, sql });
  for (const { check, row } of found) console.log(`✗ ${check}: ${JSON.stringify(row)}`);
  console.log(found.length === 0 ? 'The auditor finds nothing.' : `The auditor finds ${found.length} violations.`);
  process.exitCode = found.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await end();
  await suite.stop();
  rmSync(data, { recursive: true, force: true });
}
