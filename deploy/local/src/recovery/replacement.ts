/** Replacement of the databases by restored ones, which takes effect as a whole or not at all. */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the folder in which a restore prepares its databases. */
export const draftOf = (data: string): string => join(data, 'restore.incomplete');

const BEFORE = 'data.before-';

/** Replaces the databases, and then empties the bus. If this is interrupted, the services reject the previous bus. */
export function replaceDatabases(data: string, epoch: number): string | null {
  const present = join(data, 'postgres/data');
  const earlier = existsSync(present) ? join(data, 'postgres', `${BEFORE}${epoch}`) : null;
  if (earlier) renameSync(present, earlier);
  renameSync(join(draftOf(data), 'data'), present);
  rmSync(join(data, 'nats'), { recursive: true, force: true });
  return earlier;
}

/** Removes the remains of an interrupted restore, and returns the databases to their place. Only for the owner of the lock. */
export function undoInterruptedRestore(data: string): void {
  if (!existsSync(draftOf(data))) return;
  const directory = join(data, 'postgres');
  const names = existsSync(directory) ? readdirSync(directory) : [];
  const latest = names
    .filter((name) => name.startsWith(BEFORE))
    .toSorted()
    .at(-1);
  if (latest && !names.includes('data')) renameSync(join(directory, latest), join(directory, 'data'));
  rmSync(draftOf(data), { recursive: true, force: true });
}
