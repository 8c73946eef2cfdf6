/** Images: every uploaded image is redrawn, so that nothing but the image is stored. */
import { openQueue } from '@suite/bounded-work';
import { invalid, TooManyRequests } from '@suite/chassis/faults';
import type { StoredFile, Storage } from '@suite/chassis/files';
import { deadline } from '@suite/chassis/runtime';
import type { Sharp } from 'sharp';

import { isDrawable, POINTS_MAX } from './picture-limits.ts';

export type { Sharp } from 'sharp';

/** A queue that draws one image at a time per process, in rotation between workspaces. */
const queue = openQueue({
  places: 1,
  share: 4,
  waiting: 16,
  patience_ms: deadline(6_000),
  busy: () => TooManyRequests({ retry_after_s: 1 }),
  tooMany: TooManyRequests,
});

/** Loads sharp for the first image. It uses 15 MB, and many processes never draw one. */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

/** Stored version of an image: its name, its type, and the function that draws it. */
export interface Drawing {
  name: string;
  mime: string;
  draw(image: Sharp): Sharp;
}

/** Returns a WebP version that fits into a square of this many pixels. It is never larger than the original. */
export const fitInside = (name: string, size: number): Drawing => ({
  name,
  mime: 'image/webp',
  draw: (image) => image.resize(size, size, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 82 }),
});

/** Returns a WebP version that is cropped to a square of this many pixels. */
export const cropToSquare = (name: string, size: number): Drawing => ({
  name,
  mime: 'image/webp',
  draw: (image) => image.resize(size, size, { fit: 'cover' }).webp({ quality: 82 }),
});

async function drawAll(image: Uint8Array, drawings: readonly Drawing[]): Promise<Buffer[]> {
  const sharp = await loadSharp();
  const options = { limitInputPixels: POINTS_MAX, failOn: 'error' } as const;
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  if (!isDrawable(bytes, await sharp(image, options).metadata())) throw new Error('too much work');
  const drawn: Buffer[] = [];
  for (const { draw } of drawings) {
    drawn.push(await draw(sharp(image, options).autoOrient()).toBuffer());
  }
  return drawn;
}

/**
 * Redraws an uploaded image once for each drawing, and stores the drawings in its place.
 * @param field the field of the upload
 * @param files uploaded files. The new files replace them, and are deleted if the command fails
 * @returns the keys of the new files
 * @throws ValidationFailed for a file that is not a complete image; TooManyRequests if many images, or several of
 * this workspace, wait
 */
export async function redrawImage(
  field: string,
  files: StoredFile[],
  { storage, workspace_id }: { storage: Storage; workspace_id: string },
  drawings: readonly Drawing[],
): Promise<string[]> {
  const [upload] = files as [StoredFile];
  const image = await storage.read(upload.key);
  const drawn = await queue
    .inTurn(workspace_id, () => drawAll(image, drawings))
    .catch((error: unknown) => {
      if (error instanceof Error && error.constructor === Error)
        throw invalid(field, 'This image is unreadable or too large.');
      throw error;
    });
  const keys: string[] = [];
  for (const [at, { name, mime }] of drawings.entries()) {
    const content = drawn[at]!;
    const key = await storage.put(workspace_id, content);
    files.push({ key, name, size: content.length, mime });
    keys.push(key);
  }
  await storage.remove(upload.key);
  files.shift();
  return keys;
}
