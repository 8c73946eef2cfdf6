/** Pictures: whatever is uploaded is drawn anew, so that nothing but the picture is kept. */
import { invalid, type StoredFile, type Storage } from '@suite/chassis';
import type { Sharp } from 'sharp';
import { bounded } from '../identity/bounded.ts';
import type { Db } from '../operations.ts';

/** A picture of forty million points takes some 160 MB while it is drawn. */
const POINTS_MAX = 40_000_000;
const WAITING = 8;

const inTurn = bounded(1, WAITING);

/** Loaded with the first picture: it takes 15 MB, and many processes never see one. */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

/** How a picture is kept: its name, its type, and how it is drawn. */
export interface Drawing {
  name: string;
  mime: string;
  draw(image: Sharp): Sharp;
}

/**
 * Draws an uploaded picture anew, once for each drawing, and stores those in its place. The new files are added to `files`,
 * which vanish when the command fails. Returns their keys.
 * @throws ValidationFailed for a file that is no whole picture
 */
export async function redrawn(
  field: string,
  files: StoredFile[],
  { storage, workspace_id }: { storage: Storage; workspace_id: string },
  drawings: readonly Drawing[],
): Promise<string[]> {
  const [upload] = files as [StoredFile];
  const picture = await storage.read(upload.key);
  const drawAll = async () => {
    const sharp = await loadSharp();
    const drawn: Buffer[] = [];
    for (const { draw } of drawings) {
      const image = sharp(picture, { limitInputPixels: POINTS_MAX, failOn: 'error' });
      drawn.push(await draw(image.autoOrient()).toBuffer());
    }
    return drawn;
  };
  const drawn = await inTurn(drawAll).catch((error: unknown) => {
    if (error instanceof Error && error.constructor === Error)
      throw invalid(field, 'This picture cannot be read, or it is too large.');
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
  return keys;
}

/** Lets go of stored pictures; the files go a little later, when this is certain. */
export async function discardPictures(db: Db, keys: readonly (string | null)[]): Promise<void> {
  const stored = keys.filter((key) => key !== null);
  await db.discardedFile.createMany({ data: stored.map((key) => ({ key })) });
}
