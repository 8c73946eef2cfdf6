import { join } from 'node:path';
import type { PostgresOptions } from './postgres.ts';

const DURABLE = ['fsync=on', 'full_page_writes=on', 'synchronous_commit=on'];
/**
 * Each connection proves its password. With the default thousands of rounds, that takes longer than most connections
 * are used. Tables are filled within seconds. Until autovacuum has counted their rows, statements are planned as if the
 * tables were empty.
 */
const FAST = [
  'scram_iterations=1',
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=on',
  'autovacuum_naptime=5s',
  'wal_level=minimal',
  'max_wal_senders=0',
];
/** Without this, autovacuum would visit hundreds of databases that exist for seconds. */
const SHORT_LIVED = ['autovacuum_naptime=10min'];
/** At most this much of the last work is missing in the archive after the loss of the disk. */
const ARCHIVE_TIMEOUT = '5s';

const archiving = (directory: string): string[] => [
  'wal_level=replica',
  'archive_mode=on',
  'archive_library=basic_archive',
  `basic_archive.archive_directory=${directory}`,
  `archive_timeout=${ARCHIVE_TIMEOUT}`,
];

/** Returns a shell command that copies a file of the archive. PostgreSQL replaces %f and %p, so another percent sign is doubled. */
const copyCommand = (archive: string): string =>
  `cp '${join(archive.replaceAll('%', '%%').replaceAll("'", `'\\''`), '%f')}' "%p"`;

const recovery = ({ archive, until, timeline }: NonNullable<PostgresOptions['recovery']>): string[] => [
  `restore_command=${copyCommand(archive)}`,
  `recovery_target_timeline=${timeline}`,
  // PostgreSQL knows no names of time zones yet when it reads this setting, so Z is written as an offset.
  `recovery_target_time=${until.toISOString().replace('Z', '+00')}`,
  'recovery_target_action=promote',
];

/** Returns the settings for a start of PostgreSQL. */
export const settingsOf = (options: PostgresOptions): string[] => [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=300',
  'timezone=UTC',
  'log_timezone=UTC',
  ...(options.fast ? FAST : DURABLE),
  ...(options.short_lived ? SHORT_LIVED : []),
  ...(options.archive ? archiving(options.archive) : []),
  ...(options.recovery ? recovery(options.recovery) : []),
];
