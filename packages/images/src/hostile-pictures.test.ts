import { deflateSync, crc32 } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { Storage, StoredFile } from '@suite/chassis/files';
import sharp from 'sharp';
import { redrawImage, cropToSquare, fitInside } from './images.ts';

const workspace_id = '01930000-0000-7000-8000-000000000001';
const UPLOAD: StoredFile = { key: 'upload', name: 'me.jpg', size: 1, mime: 'image/jpeg' };

/** Draws an image and records what is stored. */
async function draw(image: Uint8Array) {
  const kept = new Map<string, Uint8Array>([[UPLOAD.key, image]]);
  const storage = {
    read: async (key: string) => kept.get(key)!,
    put: async (_: string, content: Uint8Array) => {
      const key = `drawn ${kept.size}`;
      kept.set(key, content);
      return key;
    },
    remove: async (key: string) => void kept.delete(key),
  } as unknown as Storage;
  const keys = await redrawImage('photo', [UPLOAD], { storage, workspace_id }, [
    cropToSquare('photo', 512),
    fitInside('small', 96),
  ]);
  return keys.map((key) => Buffer.from(kept.get(key)!));
}

const solid = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#d04030' } });

const segment = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
};

/** Returns a grey progressive JPEG of some hundred kilobytes, each of whose scans covers all blocks. */
function scanBomb(side: number, scans: number): Buffer {
  const blocks = Math.ceil(side / 8) ** 2;
  const bits = (text: string) =>
    Buffer.from(
      (text.padEnd(Math.ceil(text.length / 8) * 8, '1').match(/.{8}/g) ?? []).flatMap((byte) =>
        byte === '11111111' ? [255, 0] : [Number.parseInt(byte, 2)],
      ),
    );
  const table = (kind: number, symbol: number) =>
    segment(0xc4, Buffer.from([kind << 4, 1, ...Array<number>(15).fill(0), symbol]));
  const scanOf = (first: number, bit: number, isFirst: boolean, data: Buffer) =>
    Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, first, first, ((isFirst ? 0 : bit + 1) << 4) | bit])), data]);
  const runs = Math.floor(blocks / 32_767);
  const all = bits(`0${'1'.repeat(14)}`.repeat(runs) + `0${'0'.repeat(14)}`);
  const further = Array.from({ length: scans }, (_, at) =>
    scanOf(1 + Math.floor(at / 14), 13 - (at % 14), at % 14 === 0, all),
  );
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)])),
    segment(0xc2, Buffer.from([8, side >> 8, side & 255, side >> 8, side & 255, 1, 1, 0x11, 0])),
    table(0, 0),
    scanOf(0, 0, true, bits('0'.repeat(blocks))),
    table(1, 0xe0),
    ...further,
    Buffer.from([0xff, 0xd9]),
  ]);
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
};

/** Returns a small PNG with an additional chunk after its header. */
async function pngWith(type: string, data: Buffer): Promise<Buffer> {
  const png = await solid(20, 20).png().toBuffer();
  return Buffer.concat([png.subarray(0, 33), chunk(type, data), png.subarray(33)]);
}

async function pngOf(width: number, height: number): Promise<Buffer> {
  const png = await solid(20, 20).png().toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

const bomb = (): Buffer => deflateSync(Buffer.alloc(50_000_000), { level: 9 });

describe('a hostile image', () => {
  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['of more points than are drawn', () => pngOf(8_000, 5_001)],
    ['of as many points as its format can name', () => pngOf(2_147_483_647, 2_147_483_647)],
    ['that is interlaced and large', () => solid(5_000, 4_001).png({ progressive: true }).toBuffer()],
    ['of hundreds of scans', () => scanBomb(6_300, 800)],
    ['that ends early', async () => (await solid(600, 600).jpeg().toBuffer()).subarray(0, 900)],
    ['that is a head and nothing else', async () => (await solid(600, 600).png().toBuffer()).subarray(0, 33)],
    ['of no bytes', () => Buffer.alloc(0)],
    ['of the same byte', () => Buffer.alloc(100_000, 0xff)],
    ['that is a drawing', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['that is a scan of a fax', () => solid(20, 20).tiff().toBuffer()],
  ])('%s is rejected and leaves nothing behind', async (_, make) => {
    await expect(draw(await make())).rejects.toMatchObject({ status: 422, errors: { photo: [expect.any(String)] } });
  });

  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['with a text of 50 MB', async () => await pngWith('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), bomb()]))],
    [
      'with a colour profile of 50 MB',
      async () => await pngWith('iCCP', Buffer.concat([Buffer.from('icc\0\0'), bomb()])),
    ],
    [
      'with hidden text and a rotation',
      () =>
        solid(60, 40)
          .jpeg()
          .withMetadata({ orientation: 6 })
          .withExif({ IFD0: { Copyright: `canary ${'x'.repeat(60_000)}` } })
          .toBuffer(),
    ],
    [
      'of many frames',
      () =>
        sharp(Buffer.alloc(10 * 3_000 * 3), { raw: { width: 10, height: 3_000, channels: 3, pageHeight: 10 } })
          .gif()
          .toBuffer(),
    ],
    ['that is very long', () => solid(1, 16_000).png().toBuffer()],
    ['of twenty scans', () => scanBomb(800, 20)],
  ])('%s is redrawn small, without its hidden content', async (_, make) => {
    const drawn = await draw(await make());
    expect(drawn).toHaveLength(2);
    for (const [at, size] of [512, 96].entries()) {
      const { format, width, height, pages = 1, exif, icc } = await sharp(drawn[at]).metadata();
      expect({ format, pages, exif, icc }).toEqual({ format: 'webp', pages: 1, exif: undefined, icc: undefined });
      expect(Math.max(width, height)).toBeLessThanOrEqual(size);
      expect(drawn[at]!.toString('latin1')).not.toContain('canary');
    }
  });
});
