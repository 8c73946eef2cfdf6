/** A failure that the cluster must survive. */
import type { Machine } from '../site/machine.ts';
import type { ClusteredSuite } from '../site/suite.ts';

/** The parts of the cluster that fail. */
export interface Cluster {
  machines: readonly Machine[];
  suite: ClusteredSuite;
}

/** Limits of a failure. Every failure also must lose and double no acknowledged write, and leave a clean audit. */
export interface Gate {
  /** Longest time without an acknowledged write, in milliseconds. */
  gap_ms?: number;
  /** True if no write may fail, even if a repetition succeeds. */
  fails_no_write?: boolean;
}

export interface Failure {
  /** Name for `--only`. */
  name: string;
  title: string;
  gate: Gate;
  /** True if the services use PostgreSQL through PgBouncer. */
  is_pooled?: boolean;
  /** Time until the repair, in milliseconds. Without a repair, the cluster recovers on its own. */
  lasts_ms: number;
  /** Causes the failure. @returns the repair */
  strike(cluster: Cluster): Promise<() => Promise<void>>;
}

/** The repair of a failure that the cluster repairs on its own. */
export const repairsItself = (): Promise<void> => Promise.resolve();
