/** User photos, cropped to a square, in two sizes. */
import type { Storage, StoredFile } from '@suite/chassis/files';
import { redrawImage, cropToSquare } from '@suite/images';
import type { Db } from '../../operations.ts';
import { discardImages } from './picture.ts';
import type { StoredUser } from './user.ts';

const SIZES = [cropToSquare('photo.webp', 512), cropToSquare('photo.webp', 96)];

/**
 * Redraws an uploaded photo in two sizes and replaces the original. Adds the new files to `files`, which are deleted if
 * the command fails.
 * @throws ValidationFailed for a file that is not a complete image
 */
export async function resizePhoto(
  files: StoredFile[],
  storage: Storage,
  workspace_id: string,
): Promise<{ photo: string; photo_thumbnail: string }> {
  const [photo, photo_thumbnail] = await redrawImage('photo', files, { storage, workspace_id }, SIZES);
  return { photo: photo!, photo_thumbnail: photo_thumbnail! };
}

/** Discards the current photos of a user. */
export const discardPhotos = (
  db: Db,
  { photo, photo_thumbnail }: Pick<StoredUser, 'photo' | 'photo_thumbnail'>,
): Promise<void> => discardImages(db, [photo, photo_thumbnail]);
