/** `npm run reconcile [-- --repair]`: compares services whose databases were restored to different times. */
import { parseArgs } from 'node:util';
import { declaredServices } from '@suite/testing/declared';
import { openedDatabases } from './databases.ts';
import type { Finding } from './difference.ts';
import { findDifferences, repairDifferences } from './reconcile.ts';

const { values } = parseArgs({ options: { repair: { type: 'boolean' }, wait: { type: 'string' } } });
const say = (line: string): void => console.log(line);

/** Prints all differences. @returns their number */
function print(findings: readonly Finding[]): number {
  for (const { rule, rows, advice } of findings) {
    say(`✗ ${rule}`);
    for (const row of rows) say(`    ${row}`);
    say(`    → ${advice}`);
  }
  const count = findings.reduce((sum, { rows }) => sum + rows.length, 0);
  say(count === 0 ? '✓ The services agree' : `${count} ${count === 1 ? 'difference' : 'differences'}`);
  return count;
}

try {
  const databases = await openedDatabases(
    declaredServices.map(({ name }) => name),
    process.env,
  );
  const found = await findDifferences(databases);
  const count = print(found);
  if (count > 0) process.exitCode = 1;
  if (values.repair && count > 0) {
    const remaining = await repairDifferences({ databases, wait_ms: Number(values.wait ?? 60) * 1_000, say }, found);
    process.exitCode = print(remaining) === 0 ? 0 : 1;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
