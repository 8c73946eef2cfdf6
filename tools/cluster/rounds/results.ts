/** The table of a run, and the results page. */
import type { Machine } from '../../bench/report/results.ts';
import type { Failure } from '../failures/failure.ts';
import type { RoundResult } from './gates.ts';
import { WORKSPACES, WRITES_PER_SECOND } from './load.ts';

/** A completed round. */
export interface Round {
  failure: Failure;
  result: RoundResult;
}

const HEADER = [
  '| Failure | Gap, writes | Limit | Gap, reads | Writes/s | Acknowledged | Failed once | Lost | Doubled | Audit | Met |',
  '|---|---|---|---|---|---|---|---|---|---|---|',
];

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

function limitOf({ gate: { gap_ms, fails_no_write } }: Failure): string {
  const limits = [gap_ms !== undefined && `≤ ${gap_ms / 1_000} s`, fails_no_write && 'none fails'];
  return limits.filter(Boolean).join(', ');
}

function row({ failure, result }: Round): string {
  const { gap_ms, reads_gap_ms, writes_per_second, acknowledged, failed, lost, doubled, violations, unmet } = result;
  const cells = [
    failure.title,
    seconds(gap_ms),
    limitOf(failure),
    seconds(reads_gap_ms),
    writes_per_second.toFixed(0),
    acknowledged,
    failed,
    lost,
    doubled,
    violations === 0 ? 'clean' : `${violations} lines`,
    unmet.length === 0 ? 'yes' : 'no',
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Returns the table of all rounds, with a sentence for each gate that is not met. */
export function table(rounds: readonly Round[]): string {
  const sentences = rounds.flatMap(({ failure, result }, at) =>
    result.unmet.map((sentence) => `- Round ${at + 1} (${failure.name}): ${sentence}.`),
  );
  return [...HEADER, ...rounds.map(row), ...(sentences.length > 0 ? ['', ...sentences] : [])].join('\n');
}

/** Returns the results page. @param day the day of the run, `YYYY-MM-DD` */
export function resultsPage(
  rounds: readonly Round[],
  { cpu, cores, memory_gib, node, postgres, load_average }: Machine & { load_average: number },
  day: string,
): string {
  return [
    INTRODUCTION,
    table(rounds),
    '',
    `Measured on ${day}, on ${cpu}, ${cores} cores, ${memory_gib} GiB; Node ${node}, PostgreSQL ${postgres}.`,
    'The load, all servers and all processes share the machine, and the data of the servers is in memory.',
    `The load average was ${load_average.toFixed(0)}.`,
    '',
  ].join('\n');
}

const INTRODUCTION = `# High availability: results

Written by \`npm run cluster\`. Three machines, each a network namespace, run PostgreSQL under Patroni with synchronous replication, etcd, and NATS with
three replicas. The suite has two processes of everything behind HAProxy. In ${WORKSPACES} workspaces, ${WRITES_PER_SECOND} writes a second create leads, create and post invoices
with stock, and run, approve and pay payrolls, each with an idempotency key, and repeat a write until it is acknowledged.

- **Gap**: longest time in which requests waited and none of their kind succeeded, from the failure to the end of the load.
- **Writes/s**: acknowledged writes a second before the failure.
- **Failed once**: writes that needed more than one try.
- **Lost, doubled**: effects of acknowledged writes in all databases that are missing, or exist more than once or without a write.
- **Audit**: findings of \`npm run audit\` after the round.
`;
