/**
 * `npm run audit [-- --workspace <id>]`: checks from the databases alone that books balance, stock is correct, numbers
 * have no gap and services agree. Prints the violations, and exits with a non-zero code if there are any.
 */
import { parseArgs } from 'node:util';
import type { Databases } from '@suite/auditor';
import { declaredServices } from '@suite/testing/declared';
import { databasesFrom } from './addresses.ts';
import { amountChecks, immediateChecks, orderChecks, runChecks, seamChecks } from './checks.ts';

const { values } = parseArgs({ options: { workspace: { type: 'string' } } });
const services = declaredServices.map(({ name }) => name);
let databases: Databases;
try {
  databases = databasesFrom(services, process.env);
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}

try {
  const checks = [...immediateChecks(), ...orderChecks, ...amountChecks, ...seamChecks];
  for (const { title, broken } of await runChecks(checks, databases, values.workspace)) {
    console.log(`${broken.length === 0 ? '✓' : '✗'} ${title}`);
    for (const { check, row } of broken) console.log(`    ${check}: ${JSON.stringify(row)}`);
    if (broken.length > 0) process.exitCode = 1;
  }
} catch (error) {
  console.error(`The audit failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
}
