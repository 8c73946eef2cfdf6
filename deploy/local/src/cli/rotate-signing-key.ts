/** Command-line program for operators: performs the next step of a rotation of a signing key. */
import { parseArgs } from 'node:util';
import { rotateSigningKey } from '../data/keys.ts';
import { processes } from '../processes.ts';

try {
  const { values, positionals } = parseArgs({ options: { keys: { type: 'string' } }, allowPositionals: true });
  if (!values.keys) throw new Error('Add --keys, the folder with the keys of all processes.');
  const names = processes.map(({ name }) => name);
  const now = performance.timeOrigin + performance.now();
  console.log(rotateSigningKey(values.keys, names, positionals[0] ?? '', now));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
