import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Test } from '@jest/test-result';
import { type Kind, sharedBy } from '../starting/kinds.ts';
import { needsSuite } from '../suite/suite-turn.ts';

const { default: Sequencer } = createRequire(import.meta.url)(
  '@jest/test-sequencer',
) as typeof import('@jest/test-sequencer');

/** About how many seconds a file takes: the first of these that is part of its path. */
const SECONDS: readonly (readonly [part: string, seconds: number])[] = [
  ['tests/fuzz/fuzz', 120],
  ['tests/model/', 120],
  ['tests/isolation/', 110],
  ['tests/chaos/', 90],
  ['tests/docs/examples', 60],
  ['deploy/local/src/suite', 60],
  ['/plans.test', 30],
  ['tests/prune', 20],
  ['tests/', 30],
  ['/conformance.test', 15],
  ['', 1.5],
];

interface Known {
  test: Test;
  seconds: number;
  suite: boolean;
  kind: Kind | undefined;
}

function known(test: Test): Known {
  const source = readFileSync(test.path, 'utf8');
  const [, seconds] = SECONDS.find(([part]) => test.path.includes(part))!;
  return { test, seconds, suite: needsSuite(source), kind: sharedBy(source) };
}

/** Files with a suite of their own, and those that share one, kind by kind. */
const KINDS: readonly (Kind | undefined)[] = [undefined, 'doubled', 'selling', 'plain'];

/** Longer ones first: begun late, a worker would be at one alone while the other has nothing left to do. */
const inOrder = (files: readonly Known[]) =>
  files.toSorted((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) || other.seconds - one.seconds);

/** Files with the share of all their seconds that lies before each. */
function paced(files: readonly Known[]) {
  const all = files.reduce((sum, { seconds }) => sum + seconds, 0);
  let before = 0;
  return files.map(({ test, seconds }) => {
    const share = before / all;
    before += seconds;
    return { test, share };
  });
}

/**
 * Runs files that need a suite, one at a time (suite-turn.ts), beside those that need none, both at the pace at which they end
 * together: a suite waits for its processes, and what needs none fills the gaps. Files that share a suite follow each other.
 */
export default class extends Sequencer {
  override async sort(tests: Test[]): Promise<Test[]> {
    const order = super.sort;
    const files = (await order.call(this, tests)).map(known);
    const [suites, others] = [files.filter(({ suite }) => suite), files.filter(({ suite }) => !suite)];
    return [...paced(inOrder(suites)), ...paced(inOrder(others))]
      .toSorted((one, other) => one.share - other.share)
      .map(({ test }) => test);
  }
}
