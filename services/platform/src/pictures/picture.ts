import { fileRemoval, Id, NotFound } from '@suite/chassis';
import type { Db } from '../operations.ts';

/** Lets go of stored pictures; the files go a little later, when this is certain. */
export async function discardPictures(db: Db, keys: readonly (string | null)[]): Promise<void> {
  const stored = keys.filter((key) => key !== null);
  await db.discardedFile.createMany({ data: stored.map((key) => ({ key })) });
}

/**
 * The address of somebody's small photo, for whoever shows the person. Chosen: it is the random key under which the photo is
 * stored. Nobody guesses it, it stays as long as the photo does, so that browsers keep it, and with the next photo it is dead.
 */
export const avatarUrl = (key: string | null): string | undefined =>
  key === null ? undefined : `/api/avatar/${key.replace('/', '.')}`;

/** The photo that the last part of an address leads to. @throws NotFound */
export function avatarAt(name: string): { key: string; name: string; mime: string } {
  const ids = name.split('.');
  if (ids.length !== 2 || !ids.every((id) => Id.safeParse(id).success)) throw NotFound();
  return { key: ids.join('/'), name: 'photo.webp', mime: 'image/webp' };
}

/** Deletes the files that nothing refers to any more. */
export const discardFiles = fileRemoval<Db>('platform.discard-files');
