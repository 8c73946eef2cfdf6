import { node, quietly, seconds } from './command.mjs';
import { hashOf, isStamped, stamp } from './stamps.mjs';

/** Compiles what the processes run, once after an install; what is changed later, they compile anew as they start. */
export async function compile() {
  const hash = hashOf(['package-lock.json', 'deploy/local/src/environment.ts']);
  if (isStamped('compile', hash)) return;
  process.stdout.write('Compiling … ');
  const started = performance.now();
  const { code, output } = await quietly(node, ['deploy/local/src/compile.ts']);
  if (code !== 0) throw new Error(`compiling failed:\n${output}`);
  stamp('compile', hash);
  console.log(seconds(started));
}
