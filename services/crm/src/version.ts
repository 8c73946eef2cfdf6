import { Stale } from '@suite/chassis';

/** Refuses a change by somebody who has seen an older version. The row must be locked. @throws Stale */
export function assertSeen({ version }: { version: number }, expect: number | undefined): void {
  if (expect !== undefined && expect !== version) throw Stale({ version });
}
