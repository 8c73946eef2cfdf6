import { createRequire } from 'node:module';
import type { Test } from '@jest/test-result';

const { default: Sequencer } = createRequire(import.meta.url)(
  '@jest/test-sequencer',
) as typeof import('@jest/test-sequencer');

/** Runs what needs the whole suite first: it takes minutes, and at the end one worker would wait for it alone. */
export default class extends Sequencer {
  override async sort(tests: Test[]): Promise<Test[]> {
    const order = super.sort;
    const sorted = await order.call(this, tests);
    const isLong = ({ path }: Test) => /\/tests\/\w+\//.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
