import type { Db } from '../operations.ts';

/** Lets go of stored pictures; the files go a little later, when this is certain. */
export async function discardPictures(db: Db, keys: readonly (string | null)[]): Promise<void> {
  const stored = keys.filter((key) => key !== null);
  await db.discardedFile.createMany({ data: stored.map((key) => ({ key })) });
}
