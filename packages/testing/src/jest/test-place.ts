import { mkdtempSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Several times the size of all databases of a run. */
const ROOM = 10 * 2 ** 30;

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return process.platform === 'linux' && bavail * bsize >= ROOM && freemem() >= ROOM;
  } catch {
    return false;
  }
}

/** A new folder for the data of servers that are thrown away: in memory, where there is plenty of it. */
export const placeOf = (name: string): string => mkdtempSync(join(hasRoom() ? MEMORY : tmpdir(), `${name}-`));
