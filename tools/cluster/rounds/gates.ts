/** The evaluation of a round: its results, and the gates that it does not meet. */
import type { Violation } from '@suite/auditor';
import type { Discrepancy } from '../../load/effects.ts';
import type { Outcome } from '../../load/recorder.ts';
import type { Gate } from '../failures/failure.ts';
import { longestGap, type Span } from './gap.ts';

/** Everything that a round has measured. */
export interface Measurements {
  writes: readonly Outcome[];
  reads: readonly Span[];
  contradictions: readonly string[];
  /** Time at which the load started, in milliseconds. */
  started_at: number;
  /** Time of the failure, in milliseconds. */
  struck_at: number;
  discrepancies: readonly Discrepancy[];
  violations: readonly Violation[];
}

export interface RoundResult {
  /** False if the round ended with an error. */
  is_complete: boolean;
  /** Acknowledged writes a second before the failure. */
  writes_per_second: number;
  acknowledged: number;
  /** Writes that failed at least once. */
  failed: number;
  gap_ms: number;
  reads_gap_ms: number;
  lost: number;
  doubled: number;
  violations: number;
  /** One sentence for each gate that is not met. */
  unmet: string[];
}

/** A read is repeated after a pause and a write after a longer one, so equal failures differ by this time. */
const READ_MARGIN_MS = 1_000;

const groupOf = (kind: string): string => (kind === 'draft' || kind === 'posting' ? 'invoice' : kind.split(' ')[0]!);

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Evaluates a round against its gate. */
export function evaluate(measured: Measurements, { gap_ms: most_ms, fails_no_write }: Gate): RoundResult {
  const { writes, reads, contradictions, started_at, struck_at, discrepancies, violations } = measured;
  const acknowledged = writes.filter(({ outcome }) => outcome === 'ok');
  const unanswered = writes.filter(({ outcome }) => outcome !== 'ok');
  const before = acknowledged.filter(({ settled_at }) => settled_at < struck_at).length;
  const repeated = writes.filter(({ tries }) => tries > 1);
  const failed = repeated.filter(({ settled_at }) => settled_at >= struck_at).length;
  const gap_ms = longestGap(
    acknowledged.map(({ kind, ...span }) => ({ ...span, group: groupOf(kind) })),
    struck_at,
  );
  const reads_gap_ms = longestGap(reads, struck_at);
  const lost = discrepancies.filter(({ is_acknowledged, times }) => is_acknowledged && times === 0).length;
  const doubled = discrepancies.length - lost;
  const unmet = [
    lost > 0 && `${lost} effects of acknowledged writes are lost`,
    doubled > 0 && `${doubled} effects exist more than once or without a write`,
    violations.length > 0 && `the audit found ${violations.length} violations`,
    contradictions.length > 0 && `${contradictions.length} repeated requests returned another response`,
    unanswered.length > 0 && `${unanswered.length} writes were rejected or not answered`,
    acknowledged.length === 0 && 'no write was acknowledged',
    most_ms !== undefined && gap_ms > most_ms && `the gap of ${seconds(gap_ms)} exceeds ${seconds(most_ms)}`,
    fails_no_write &&
      failed > 0 &&
      `${failed} writes failed before they succeeded (before the failure: ${repeated.length - failed})`,
    reads_gap_ms > gap_ms + READ_MARGIN_MS &&
      `reads failed longer (${seconds(reads_gap_ms)}) than writes (${seconds(gap_ms)})`,
  ].filter((sentence) => typeof sentence === 'string');
  return {
    is_complete: true,
    writes_per_second: (before * 1_000) / (struck_at - started_at),
    acknowledged: acknowledged.length,
    failed,
    gap_ms,
    reads_gap_ms,
    lost,
    doubled,
    violations: violations.length,
    unmet,
  };
}

/** Returns the result of a round that ended with an error, such as a server that did not recover. */
export const brokenRound = (error: unknown): RoundResult => ({
  is_complete: false,
  writes_per_second: 0,
  acknowledged: 0,
  failed: 0,
  gap_ms: 0,
  reads_gap_ms: 0,
  lost: 0,
  doubled: 0,
  violations: 0,
  unmet: [`the round was not completed (${error instanceof Error ? error.message : String(error)})`],
});
