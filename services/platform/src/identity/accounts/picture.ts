import { NotFound } from '@suite/chassis/faults';
import { Id } from '@suite/chassis/fields';
import { fileRemoval } from '@suite/chassis/files';
import type { Db } from '../../operations.ts';

/** Discards stored images. Their files are deleted after the commit. */
export async function discardImages(db: Db, keys: readonly (string | null)[]): Promise<void> {
  const stored = keys.filter((key) => key !== null);
  await db.discardedFile.createMany({ data: stored.map((key) => ({ key })) });
}

/**
 * Returns the URL of a user's small photo. Chosen: the URL contains the random key of the stored photo. It cannot be
 * guessed. It stays valid as long as the photo, so browsers can cache it. A new photo invalidates it.
 */
export const avatarUrl = (key: string | null): string | undefined =>
  key === null ? undefined : `/api/avatar/${key.replace('/', '.')}`;

/** Returns the photo for the last part of an address. @throws NotFound */
export function avatarOf(name: string): { key: string; name: string; mime: string } {
  const ids = name.split('.');
  if (ids.length !== 2 || !ids.every((id) => Id.safeParse(id).success)) throw NotFound();
  return { key: ids.join('/'), name: 'photo.webp', mime: 'image/webp' };
}

/** Schedule that deletes unreferenced files. */
export const discardFiles = fileRemoval<Db>('platform.discard-files');
