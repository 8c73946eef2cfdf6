import { invalid } from '@suite/chassis/faults';

/** Rejects a version in a request that creates a record: a new record has no version. @throws a 422 */
export function assertNothingSeen(expect: number | undefined): void {
  if (expect !== undefined)
    throw invalid('version', 'This record does not exist yet, so it has no version. Leave `version` out.');
}
