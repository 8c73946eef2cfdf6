import { invalid } from '@suite/chassis';

/** Refuses a version where something is made: there is none yet that a caller could have seen. @throws a 422 */
export function assertNothingSeen(expect: number | undefined): void {
  if (expect !== undefined)
    throw invalid('version', 'This record does not exist yet, so it has no version. Leave `version` out.');
}
