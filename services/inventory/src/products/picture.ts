/** Pictures of products: whatever is uploaded is drawn anew, so that nothing but the picture is kept. */
import {
  clock,
  every,
  type FileLinks,
  findEverywhere,
  invalid,
  scheduled,
  sql,
  type Storage,
  type StoredFile,
  TooManyRequests,
  type Tools,
} from '@suite/chassis';
import type { Db } from '../operations.ts';

const SIZE = 1_200;
const THUMBNAIL = 160;
/** A picture of forty million points takes some 160 MB while it is drawn. */
const POINTS_MAX = 40_000_000;
const LINK_LIFE_S = 3_600;
const WAITING_MAX = 8;

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** One picture after the other; when many wait already, more are refused at once. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting >= WAITING_MAX) throw TooManyRequests({ retry_after_s: 1 });
  waiting += 1;
  const mine = last.then(work);
  last = mine.catch(() => undefined).finally(() => (waiting -= 1));
  return await mine;
}

/** Loaded with the first picture: it takes 15 MB, and many processes never see one. */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

async function draw(picture: Uint8Array, size: number): Promise<Buffer> {
  const sharp = await loadSharp();
  const image = sharp(picture, { limitInputPixels: POINTS_MAX, failOn: 'error' });
  const within = { width: size, height: size, fit: 'inside', withoutEnlargement: true } as const;
  return await image.autoOrient().resize(within).webp({ quality: 82 }).toBuffer();
}

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
  const [upload] = files as [StoredFile];
  const picture = await storage.read(upload.key);
  const drawn = await inTurn(async () => [await draw(picture, SIZE), await draw(picture, THUMBNAIL)] as const).catch(
    (error: unknown) => {
      if (error instanceof Error && error.constructor === Error)
        throw invalid('image', 'This picture cannot be read, or it is too large.');
      throw error;
    },
  );
  const keep = async (content: Buffer) => {
    const key = await storage.put(workspace_id, content);
    files.push({ key, name: 'product.webp', size: content.length, mime: 'image/webp' });
    return key;
  };
  const image = await keep(drawn[0]);
  const image_thumbnail = await keep(drawn[1]);
  await storage.remove(upload.key);
  return { image, image_thumbnail };
}

/** Lets go of a product's present pictures; the files go a little later, when this is certain. */
export async function discardPictures(db: Db, { image, image_thumbnail }: Pictures): Promise<void> {
  const keys = [image, image_thumbnail].filter((key) => key !== null);
  if (keys.length > 0) await db.discardedFile.createMany({ data: keys.map((key) => ({ key })) });
}

/** A link that opens a stored picture for a while, without a token. */
export const pictureAddress = (links: FileLinks, key: string | null): string | null =>
  key && `/api/product-image/${links.sign({ key, name: 'product.webp', mime: 'image/webp' }, LINK_LIFE_S)}`;

const SCHEDULE = 'inventory.remove-pictures';
const BATCH = 100;

/** Removes the files that no product names any more. */
export async function removePictures({ database, storage }: Pick<Tools<Db>, 'database' | 'storage'>): Promise<void> {
  const discarded = await findEverywhere<{ workspace_id: string; key: string }>(
    database,
    SCHEDULE,
    sql`SELECT workspace_id, key FROM discarded_files WHERE discarded_at <= ${clock.now()} ORDER BY discarded_at LIMIT ${BATCH}`,
  );
  for (const { workspace_id, key } of discarded) {
    await storage.remove(key);
    await database.write(scheduled(SCHEDULE, workspace_id), (db) => db.discardedFile.deleteMany({ where: { key } }));
  }
}

export const removeDiscardedPictures = every(SCHEDULE, 30_000, removePictures);
