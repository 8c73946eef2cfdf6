import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Test } from '@jest/test-result';
import { kinds, needsSuite, suiteKindOf } from '../starting/kinds.ts';

const { default: Sequencer } = createRequire(import.meta.url)(
  '@jest/test-sequencer',
) as typeof import('@jest/test-sequencer');

/** The kinds of shared suites, the largest first, then the files without a suite. */
const SHARED: readonly (string | undefined)[] = [...Object.keys(kinds).toReversed(), undefined];

/**
 * Returns the group of a test file: first files with their own suite, then files that share one, kind by kind, then the
 * rest.
 */
function turnOf({ path }: Test): number {
  const source = readFileSync(path, 'utf8');
  const kind = suiteKindOf(source);
  return needsSuite(source) && !kind ? -1 : SHARED.indexOf(kind);
}

/** The longest files, which run first. If they started late, one worker would run alone at the end. */
const LONGEST = [
  'tests/chaos/',
  'tests/fuzz/',
  'tests/docs/examples',
  'tests/model/',
  'tests/concurrency/',
  'tests/isolation/',
  'deploy/local/src/suite',
  'tests/prune',
  '/plans.test',
  '/conformance.test',
];

function lengthRank(path: string): number {
  const rank = LONGEST.findIndex((part) => path.includes(part));
  return rank === -1 ? LONGEST.length : rank;
}

/**
 * Runs the longest files first. Files that share a suite follow each other, so that the suite stops when it is no
 * longer needed. Files with their own suite have a separate worker (runner.ts).
 */
export default class extends Sequencer {
  override async sort(tests: Test[]): Promise<Test[]> {
    const order = super.sort;
    const sorted = (await order.call(this, tests)).map((test) => ({
      test,
      turn: turnOf(test),
      length: lengthRank(test.path),
    }));
    return sorted.toSorted((one, other) => one.turn - other.turn || one.length - other.length).map(({ test }) => test);
  }
}
