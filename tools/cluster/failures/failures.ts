/** The failures of a full run, in order. */
import { LaunchError } from '@suite/local/launch-error';
import { processes } from '@suite/local/processes';
import { type Failure, repairsItself } from './failure.ts';
import { pooledFailures, serverFailures } from './server-failures.ts';

/** One process of the gateway and of each service. The launcher starts it again, as Kubernetes would. */
const processFailures: readonly Failure[] = processes.map(({ name }) => ({
  name,
  title: `A process of ${name}, \`kill -9\``,
  gate: { gap_ms: 3_000 },
  lasts_ms: 0,
  async strike({ suite }) {
    suite.processes[name]?.kill('SIGKILL');
    return repairsItself;
  },
}));

/** All failures. PgBouncer comes last, because the suite is started again with other addresses. */
export const failures: readonly Failure[] = [...serverFailures, ...processFailures, ...pooledFailures];

/**
 * Returns the failures of a run, one for each round: the named failures or all failures, repeated in order.
 * Failures through PgBouncer are last.
 * @throws LaunchError for an unknown name
 */
export function planRounds(only: readonly string[] | undefined, rounds: number | undefined): Failure[] {
  const unknown = only?.find((name) => !failures.some((failure) => failure.name === name));
  if (unknown !== undefined) {
    const known = failures.map(({ name }) => name).join(', ');
    throw new LaunchError(`Failure "${unknown}" not found. Choose from: ${known}.`);
  }
  const chosen = only ? failures.filter(({ name }) => only.includes(name)) : failures;
  const planned = Array.from({ length: rounds ?? chosen.length }, (_, at) => chosen[at % chosen.length]!);
  return planned.toSorted((one, other) => Number(one.is_pooled ?? false) - Number(other.is_pooled ?? false));
}
