/** Sentences for the failures of a recovery that an operator can solve. */
import { LaunchError, sentence } from '../launch-error.ts';
import { archiveOf, missingFile } from './archive.ts';
import type { Backup } from './backup-folder.ts';

/** The target of a recovery. */
interface Target {
  folder: string;
  until: Date;
  timeline: number;
  backup: Backup;
}

/** PostgreSQL's lines for an archive that ends before the target. */
const ENDED =
  /recovery ended before configured recovery target was reached|could not locate required checkpoint|WAL ends before|recovery target timeline \d+ does not exist|is not a child of this server's history/;

/** Returns a sentence for a failure that an operator can solve, and other errors unchanged. @param log PostgreSQL's log */
export function describeRecovery(error: unknown, log: string, { folder, until, timeline, backup }: Target): unknown {
  if (/No space left on device/.test(log)) return Object.assign(new Error(sentence(error)), { code: 'ENOSPC' });
  const damaged = /archive file "([\dA-F]+)" has wrong size/.exec(log)?.[1];
  const missing = damaged ?? (ENDED.test(log) ? missingFile(folder, backup.first_segment, timeline) : undefined);
  if (missing)
    return new LaunchError(
      `The archive has a hole: copy ${missing} to ${archiveOf(folder)}, or choose a time before it for --until.`,
    );
  if (!ENDED.test(log)) return error;
  const [last = backup.finished_at] = [...log.matchAll(/last completed transaction was at log time (\S+) (\S+)\+00/g)]
    .map(([, day, time]) => `${day}T${time}Z`)
    .slice(-1);
  return new LaunchError(
    `The archive ends at ${last}, before ${until.toISOString()}: choose an earlier time for --until.`,
  );
}
