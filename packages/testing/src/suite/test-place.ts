import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Space for several times the size of all databases of a run. */
const SPACE = 10 * 2 ** 30;
/** Matches folder names such as `suite-test-4711-x7Qa2b`, the folder of process 4711. */
const DIRECTORY_NAME = /^suite-tests?-(\d+)-\w{6}$/;

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Removes the folders of killed runs, which would fill the memory. */
function removeRemains(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = DIRECTORY_NAME.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return process.platform === 'linux' && bavail * bsize >= SPACE && freemem() >= SPACE;
  } catch {
    return false;
  }
}

/** Creates a folder for the data of temporary servers: in memory, if there is enough. */
export function createDataDirectory(name: 'suite-test' | 'suite-tests'): string {
  const isInMemory = hasRoom();
  if (isInMemory) removeRemains();
  return mkdtempSync(join(isInMemory ? MEMORY : tmpdir(), `${name}-${process.pid}-`));
}
