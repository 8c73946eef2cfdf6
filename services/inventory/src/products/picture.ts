/** Product images in two sizes. */
import { type FileLinks, fileRemoval, type Storage, type StoredFile } from '@suite/chassis/files';
import { redrawImage, fitInside } from '@suite/images';
import type { Db } from '../operations.ts';

const NAME = 'product.webp';
const SIZES = [fitInside(NAME, 1_200), fitInside(NAME, 160)];

export interface ImageKeys {
  image: string | null;
  image_thumbnail: string | null;
}

/**
 * Resizes an uploaded image to two sizes and replaces it with these. The new files are added to `files`, so that they
 * are removed if the command fails.
 * @throws ValidationFailed for an incomplete image
 */
export async function resizeImage(files: StoredFile[], storage: Storage, workspace_id: string): Promise<ImageKeys> {
  const [image, image_thumbnail] = await redrawImage('image', files, { storage, workspace_id }, SIZES);
  return { image: image!, image_thumbnail: image_thumbnail! };
}

/** Discards the current images of a product. Their files are deleted after the commit. */
export async function discardImages(db: Db, { image, image_thumbnail }: ImageKeys): Promise<void> {
  const keys = [image, image_thumbnail].filter((key) => key !== null);
  if (keys.length > 0) await db.discardedFile.createMany({ data: keys.map((key) => ({ key })) });
}

/** Returns a temporary link to a stored image, which needs no token. */
export const imageUrl = (links: FileLinks, key: string | null): string | null =>
  key && links.url('/api/product-image', { key, name: NAME, mime: 'image/webp' });

/** Removes files that no product refers to. */
export const removeDiscardedImages = fileRemoval<Db>('inventory.remove-pictures');
