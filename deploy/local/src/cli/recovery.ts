/** Command-line program for operators: `npm run backup` and `npm run restore`. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { launcherConfig } from '../config.ts';
import { LaunchError, sentence } from '../launch-error.ts';
import { ROOT } from '../plan.ts';
import { backUp, type WrittenBackup } from '../recovery/backup.ts';
import { type Restored, restore } from '../recovery/restore.ts';

/** Returns a point in time. @throws LaunchError if it is not one, has no time zone, or is in the future */
function readTime(text: string): Date {
  const time = new Date(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/.test(text) ? text : Number.NaN,
  );
  if (Number.isNaN(time.getTime()))
    throw new LaunchError(`--until must be a time with its zone, such as 2026-11-28T14:03:00Z, not "${text}".`);
  if (time.getTime() > performance.timeOrigin + performance.now())
    throw new LaunchError(`--until must not be in the future: ${text}.`);
  return time;
}

/** Returns a number of days. @throws LaunchError if it is not one */
function readDays(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new LaunchError(`--keep must be a number of days from 1 to 9999, not "${text}".`);
}

function reportOfBackup({ folder, keys_folder, finished_at, removed }: WrittenBackup): string {
  return [
    `Backup of ${finished_at}: ${folder}`,
    `Keys, to be stored in another place: ${keys_folder}`,
    ...(removed.backups + removed.segments > 0
      ? [`Removed old backups: ${removed.backups}. Removed segments of the archive: ${removed.segments}.`]
      : []),
  ].join('\n');
}

/** Returns the report of a restore, with what an operator must check. */
function reportOf(restored: Restored): string {
  const { backup, epoch, files, sessions, api_keys, numbers, earlier_databases, is_incomplete } = restored;
  const series = numbers.map(
    ({ service, workspace_id, type, year, first, last }) =>
      `  ${service} ${type}${year ? ` ${year}` : ''}: ${first} to ${last} (workspace ${workspace_id})`,
  );
  return [
    `Restored from the backup ${backup.name}, in epoch ${epoch}. The bus is empty.`,
    `Ended sessions: ${sessions}. Revoked API keys: ${api_keys}. Restored files: ${files}.`,
    ...(is_incomplete ? ['Numbers and API keys that changed after the restore point are unknown.'] : []),
    ...(series.length > 0
      ? ['These numbers were assigned after the restore point, and will be assigned again:', ...series]
      : []),
    ...(earlier_databases
      ? [`The previous databases are in ${earlier_databases}. Delete them when you no longer need them.`]
      : []),
    'Next: start the suite (npm start), run npm run audit, and make a new backup (npm run backup).',
  ].join('\n');
}

async function main([command, ...words]: string[]): Promise<void> {
  const { values } = parseArgs({
    args: words,
    options: { data: { type: 'string' }, until: { type: 'string' }, keep: { type: 'string', default: '14' } },
  });
  const data = resolve(values.data ?? join(ROOT, '.data'));
  if (command === 'backup') {
    console.log(reportOfBackup(await backUp(data, readDays(values.keep))));
    return;
  }
  if (values.until === undefined) throw new LaunchError('Enter the time to return to: --until 2026-11-28T14:03:00Z.');
  const until = readTime(values.until);
  const { backup_dir: folder, faults } = launcherConfig([]);
  const fault = faults.find((text) => text.startsWith('BACKUP_DIR')) ?? 'Set BACKUP_DIR to the folder of the backups';
  if (!folder) throw new LaunchError(`${fault}.`);
  console.log(reportOf(await restore({ data, folder, until, say: (line) => console.log(line) })));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof LaunchError ? sentence(error) : error);
  process.exitCode = 1;
}
process.exit();
