/** Pictures of products, in two sizes. */
import { type FileLinks, fileRemoval, type Storage, type StoredFile } from '@suite/chassis';
import { redrawn, within } from '@suite/images';
import type { Db } from '../operations.ts';

const NAME = 'product.webp';
const SIZES = [within(NAME, 1_200), within(NAME, 160)];

export interface Pictures {
  image: string | null;
  image_thumbnail: string | null;
}

/**
 * Draws an uploaded picture anew in two sizes and stores them in its place. The new files are added to `files`, which
 * vanish when the command fails.
 * @throws ValidationFailed for a file that is no whole picture
 */
export async function redraw(files: StoredFile[], storage: Storage, workspace_id: string): Promise<Pictures> {
  const [image, image_thumbnail] = await redrawn('image', files, { storage, workspace_id }, SIZES);
  return { image: image!, image_thumbnail: image_thumbnail! };
}

/** Lets go of a product's present pictures; the files go a little later, when this is certain. */
export async function discardPictures(db: Db, { image, image_thumbnail }: Pictures): Promise<void> {
  const keys = [image, image_thumbnail].filter((key) => key !== null);
  if (keys.length > 0) await db.discardedFile.createMany({ data: keys.map((key) => ({ key })) });
}

/** A link that opens a stored picture for a while, without a token. */
export const pictureAddress = (links: FileLinks, key: string | null): string | null =>
  key && links.url('/api/product-image', { key, name: NAME, mime: 'image/webp' });

/** Removes the files that no product names any more. */
export const removeDiscardedPictures = fileRemoval<Db>('inventory.remove-pictures');
