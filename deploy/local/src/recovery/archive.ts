/** The archive of the write-ahead log: the folder `wal` in the folder of the backups. */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LaunchError } from '../launch-error.ts';

const SEGMENT = /^[\dA-F]{24}$/;
/** Position of the cluster's identifier in a segment, and in `pg_control`. */
const IDENTIFIER_IN = { segment: 24, control: 0 };

/** Returns the archive in a folder of backups. */
export const archiveOf = (folder: string): string => join(folder, 'wal');

/** Returns the names of the archived segments, in order. */
const segmentsIn = (archive: string): string[] =>
  existsSync(archive)
    ? readdirSync(archive)
        .filter((name) => SEGMENT.test(name))
        .toSorted()
    : [];

function readIdentifier(file: string, position: number): bigint {
  const bytes = Buffer.alloc(8);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, bytes, 0, 8, position);
  } finally {
    closeSync(descriptor);
  }
  return bytes.readBigUInt64LE();
}

/** Returns the identifier that PostgreSQL gave a cluster when it was created, or undefined if the folder contains none. */
export function clusterIn(databases: string): bigint | undefined {
  const control = join(databases, 'global/pg_control');
  return existsSync(control) ? readIdentifier(control, IDENTIFIER_IN.control) : undefined;
}

/**
 * Checks that an archive is empty or belongs to a cluster. Segments of two clusters have the same names.
 * @param cluster the identifier of the cluster, or undefined if a new one is created
 * @throws LaunchError if the archive belongs to another cluster
 */
export function assertOwnArchive(folder: string, cluster: bigint | undefined): void {
  const archive = archiveOf(folder);
  const [segment] = segmentsIn(archive);
  if (segment === undefined || readIdentifier(join(archive, segment), IDENTIFIER_IN.segment) === cluster) return;
  throw new LaunchError(`${folder} contains the archive of other databases: set BACKUP_DIR to an empty folder.`);
}

/** Numbers of segments within the write-ahead log, which do not depend on the timeline. */
class SegmentNumbers {
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  ofName(name: string): number {
    const [log, segment] = [name.slice(8, 16), name.slice(16)].map((digits) => Number.parseInt(digits, 16));
    return log! * (2 ** 32 / this.#size) + segment!;
  }

  /** @param location a place in the log, such as `0/3000060` */
  ofLocation(location: string): number {
    const [high, low] = location.split('/').map((digits) => Number.parseInt(digits, 16));
    return (high! * 2 ** 32 + low!) / this.#size;
  }

  nameOf(timeline: number, number: number): string {
    const per_log = 2 ** 32 / this.#size;
    const digits = [timeline, Math.floor(number / per_log), number % per_log];
    return digits
      .map((part) => part.toString(16).padStart(8, '0'))
      .join('')
      .toUpperCase();
  }
}

const historyOf = (timeline: number): string => `${timeline.toString(16).padStart(8, '0').toUpperCase()}.history`;

/**
 * Returns the first file that is missing in the archive, between the start of a backup and the last segment of a timeline.
 * Undefined if none is missing.
 */
export function missingFile(folder: string, first_segment: string, timeline: number): string | undefined {
  const archive = archiveOf(folder);
  const present = segmentsIn(archive);
  if (present.length === 0) return first_segment;
  const numbers = new SegmentNumbers(statSync(join(archive, present[0]!)).size);
  const history = join(archive, historyOf(timeline));
  if (!existsSync(history) && Number.parseInt(first_segment.slice(0, 8), 16) !== timeline) return historyOf(timeline);
  // Each line names a timeline and its end. PostgreSQL reads the segment of the end from the next timeline.
  const ends = existsSync(history)
    ? [...readFileSync(history, 'utf8').matchAll(/^(\d+)\t(\S+)/gm)].map(([, parent, end]) => ({
        timeline: Number(parent),
        end: Math.floor(numbers.ofLocation(end!)),
      }))
    : [];
  const last = present
    .filter((name) => Number.parseInt(name.slice(0, 8), 16) === timeline)
    .map((name) => numbers.ofName(name));
  const names = new Set(present);
  for (let number = numbers.ofName(first_segment); number <= Math.max(ends.at(-1)?.end ?? 0, ...last); number += 1) {
    const name = numbers.nameOf(ends.find(({ end }) => number < end)?.timeline ?? timeline, number);
    if (!names.has(name)) return name;
  }
  return undefined;
}

/** Returns the archived files that come before a segment, on any timeline. Files with the history of timelines stay. */
export function filesBefore(folder: string, first_segment: string): string[] {
  return readdirSync(archiveOf(folder)).filter(
    (name) => SEGMENT.test(name.slice(0, 24)) && name.slice(8, 24) < first_segment.slice(8),
  );
}
