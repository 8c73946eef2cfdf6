import { fileRemoval, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/** Lets go of stored pictures; the files go a little later, when this is certain. */
export async function discardPictures(db: Db, keys: readonly (string | null)[]): Promise<void> {
  const stored = keys.filter((key) => key !== null);
  await db.discardedFile.createMany({ data: stored.map((key) => ({ key })) });
}

const BATCH = 100;

/** Deletes the files that nothing refers to any more. */
export const discardFiles = fileRemoval<Db>(
  'platform.discard-files',
  10_000,
  (notPostponed) => sql`
    SELECT workspace_id, key, FALSE AS used FROM discarded_files AS gone
    WHERE ${notPostponed} ORDER BY created_at LIMIT ${BATCH}`,
);
