import { node, quietly, step } from './command.mjs';
import { hashOf, isStamped, stamp } from './stamps.mjs';

/**
 * Compiles the code of the processes once after an install. Files that change later are compiled again when a process
 * starts.
 */
export async function compile() {
  const hash = hashOf(['package-lock.json', 'deploy/local/src/environment.ts']);
  if (isStamped('compile', hash)) return;
  await step('Compiling', 'Node failed to compile the suite', () => quietly(node, ['deploy/local/src/compile.ts']));
  stamp('compile', hash);
}
