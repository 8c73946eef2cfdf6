import { node, quietly, step } from './command.mjs';
import { hashOf, isStamped, stamp } from './stamps.mjs';

/** Compiles what the processes run, once after an install; what is changed later, they compile anew as they start. */
export async function compile() {
  const hash = hashOf(['package-lock.json', 'deploy/local/src/environment.ts']);
  if (isStamped('compile', hash)) return;
  await step('Compiling', 'Node failed to compile the suite', () => quietly(node, ['deploy/local/src/compile.ts']));
  stamp('compile', hash);
}
