/** Options of `npm run cluster`. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { LaunchError } from '@suite/local/launch-error';

export interface ClusterOptions {
  /** Folder for the Debian root, the data and the logs. */
  data: string;
  /** Address of a Debian mirror. Defaults to the one of this machine. */
  mirror: string | undefined;
  /** Number of rounds. Defaults to one for each failure. */
  rounds: number | undefined;
  /** Names of the failures. Defaults to all. */
  only: string[] | undefined;
  /** True if a run with every failure writes the results page. */
  writes_results: boolean;
}

const FOLDER = '/var/tmp/suite-cluster';
const MOST_ROUNDS = 1_000;

/** Parses the options. @throws LaunchError with a sentence that names the invalid value */
export function clusterOptions(words: readonly string[]): ClusterOptions {
  const { values } = parseArgs({
    args: [...words],
    options: {
      data: { type: 'string', default: FOLDER },
      mirror: { type: 'string' },
      rounds: { type: 'string' },
      only: { type: 'string' },
      'no-results': { type: 'boolean', default: false },
    },
  });
  const { data, mirror, rounds, only } = values;
  if (rounds !== undefined && !(/^[1-9]\d{0,3}$/.test(rounds) && Number(rounds) <= MOST_ROUNDS))
    throw new LaunchError(`--rounds must be a number from 1 to ${MOST_ROUNDS}, not "${rounds}".`);
  if (mirror !== undefined && !/^https?:\/\/\S+$/.test(mirror))
    throw new LaunchError(`--mirror must be an address such as http://deb.example.com/debian, not "${mirror}".`);
  return {
    data: resolve(data),
    mirror,
    rounds: rounds === undefined ? undefined : Number(rounds),
    only: only?.split(','),
    writes_results: !values['no-results'],
  };
}
