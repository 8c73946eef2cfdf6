import { describe, expect, test } from '@jest/globals';
import { incompleteStreams } from './members.ts';

const CURRENT = { current: true };

/** Reports of three servers. The first one leads the stream. */
const reports = (replicas: { current?: boolean; offline?: boolean }[]) => [
  { server: 'a', streams: [{ name: 'CRM', cluster: { leader: 'a', replicas } }] },
  { server: 'b', streams: [{ name: 'CRM', cluster: { leader: 'a', replicas: [] } }] },
  { server: 'c', streams: [] },
];

describe('the streams of NATS', () => {
  test('are complete if the leader has a current replica on every other server', () => {
    expect(incompleteStreams(reports([CURRENT, CURRENT]))).toEqual([]);
  });

  test.each([
    ['missing', [CURRENT]],
    ['behind', [CURRENT, { current: false }]],
    ['offline', [CURRENT, { current: true, offline: true }]],
  ])('are incomplete if a replica is %s', (_, replicas) => {
    expect(incompleteStreams(reports(replicas))).toEqual(['the stream CRM is not complete on every machine']);
  });

  test('are incomplete without a leader', () => {
    const [, ...others] = reports([CURRENT, CURRENT]);
    expect(incompleteStreams(others)).toEqual(['the stream CRM is not complete on every machine']);
  });
});
