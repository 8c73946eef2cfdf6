/** Limits the cost of drawing an image, based on its header and on the scans of a JPEG. */

/** The highest number of pixels. Drawing forty million pixels uses some 160 MB. */
export const POINTS_MAX = 40_000_000;
/**
 * The highest number of pixels for slow formats. Chosen: GIF and interlaced PNG have half the limit, because their
 * decoders take twice as long: they store the whole image and read it several times.
 */
const POINTS_MAX_SLOW = 20_000_000;
/**
 * The highest number of pixels times scans. Each scan of a progressive JPEG covers all pixels. Cameras and programs
 * write ten to twenty scans.
 */
const SCANNED_POINTS_MAX = 1_000_000_000;

/** The supported image formats. */
const FORMATS = ['jpeg', 'png', 'gif', 'webp'];

/** The header of an image, as sharp reads it. */
export interface ImageHead {
  format?: string;
  width?: number;
  height?: number;
  isProgressive?: boolean;
}

const MARKER = 0xff;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
/**
 * Checks for bytes after 0xff that do not begin a segment: padding, a plain 0xff in the data of a scan, and restarts.
 */
const isWithinData = (code: number): boolean => code === 0 || code === MARKER || (code >= 0xd0 && code <= 0xd7);

/** Returns the number of scans of a JPEG, at most one more than `most`. Images within its segments do not count. */
export function scansOf(jpeg: Buffer, most: number): number {
  let scans = 0;
  for (let at = jpeg.indexOf(MARKER, 2); at >= 0 && at + 3 < jpeg.length && scans <= most; ) {
    const code = jpeg[at + 1]!;
    if (code === END_OF_IMAGE) break;
    if (isWithinData(code)) {
      at = jpeg.indexOf(MARKER, at + (code === MARKER ? 1 : 2));
      continue;
    }
    if (code === START_OF_SCAN) scans += 1;
    at = jpeg.indexOf(MARKER, at + 2 + jpeg.readUInt16BE(at + 2));
  }
  return scans;
}

/** Returns true if an image can be drawn with a bounded amount of work. */
export function isDrawable(image: Buffer, { format = '', width = 0, height = 0, isProgressive }: ImageHead): boolean {
  const points = width * height;
  if (!FORMATS.includes(format) || points === 0) return false;
  const isSlow = format === 'gif' || (format === 'png' && isProgressive === true);
  if (points > (isSlow ? POINTS_MAX_SLOW : POINTS_MAX)) return false;
  if (format !== 'jpeg' || !isProgressive) return true;
  const scans_max = Math.floor(SCANNED_POINTS_MAX / points);
  return scansOf(image, scans_max) <= scans_max;
}
