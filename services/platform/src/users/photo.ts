/** Photos of users: whatever is uploaded is drawn anew, so that nothing but the picture is kept. */
import { every, invalid, type Storage, type StoredFile, type Tools } from '@suite/chassis';
import { discardedFiles, forgetFile } from '../identity/across-workspaces.ts';
import { bounded } from '../identity/bounded.ts';
import { byItself, type Db } from '../operations.ts';
import type { User } from './user.ts';

const SIZE = 512;
const THUMBNAIL = 96;
/** A picture of forty million points takes some 160 MB while it is drawn. */
const POINTS_MAX = 40_000_000;
const WAITING = 8;

const inTurn = bounded(1, WAITING);

/** Loaded with the first photo: it takes 15 MB, and many processes never see one. */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

async function draw(picture: Uint8Array, size: number): Promise<Buffer> {
  const sharp = await loadSharp();
  const image = sharp(picture, { limitInputPixels: POINTS_MAX, failOn: 'error' });
  return await image.autoOrient().resize(size, size, { fit: 'cover' }).webp({ quality: 82 }).toBuffer();
}

/**
 * Draws an uploaded photo anew in two sizes and stores them in its place. The new files are added to `files`, which
 * vanish when the command fails.
 * @throws ValidationFailed for a file that is no whole picture
 */
export async function redraw(
  files: StoredFile[],
  storage: Storage,
  workspace_id: string,
): Promise<{ photo: string; photo_thumbnail: string }> {
  const [upload] = files as [StoredFile];
  const picture = await storage.read(upload.key);
  const drawn = await inTurn(async () => [await draw(picture, SIZE), await draw(picture, THUMBNAIL)] as const).catch(
    (error: unknown) => {
      if (error instanceof Error && error.constructor === Error)
        throw invalid('photo', 'This picture cannot be read, or it is too large.');
      throw error;
    },
  );
  const keep = async (content: Buffer) => {
    const key = await storage.put(workspace_id, content);
    files.push({ key, name: 'photo.webp', size: content.length, mime: 'image/webp' });
    return key;
  };
  const photo = await keep(drawn[0]);
  const photo_thumbnail = await keep(drawn[1]);
  await storage.remove(upload.key);
  return { photo, photo_thumbnail };
}

/** Lets go of a user's present photos; the files go a little later, when this is certain. */
export async function discardPhotos(
  db: Db,
  { photo, photo_thumbnail }: Pick<User, 'photo' | 'photo_thumbnail'>,
): Promise<void> {
  const keys = [photo, photo_thumbnail].filter((key) => key !== null);
  await db.discardedFile.createMany({ data: keys.map((key) => ({ key })) });
}

/** Deletes the files that nothing refers to any more. */
export const discardFiles = every('platform.discard-files', 10_000, async ({ database, storage }: Tools<Db>) => {
  const context = byItself('schedule:discard-files');
  const files = await database.read(context, (db) => discardedFiles(db, 100));
  for (const { key } of files) {
    await storage.remove(key);
    await database.write(context, (db) => forgetFile(db, key));
  }
});
