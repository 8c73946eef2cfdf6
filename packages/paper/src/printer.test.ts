import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { letter } from '../test/letter.ts';
import { openPrinter } from './printer.ts';

const open: { close(): void }[] = [];
afterAll(() => open.forEach((one) => one.close()));

function printerWith(options: Partial<Parameters<typeof openPrinter>[0]> = {}) {
  const printer = openPrinter({ idle_ms: 60_000, patience_ms: 30_000, waiting: 100, ...options });
  open.push(printer);
  return printer;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(10);
}

const isPdf = (content: Uint8Array) => Buffer.from(content.subarray(0, 5)).toString() === '%PDF-';

describe('a printer', () => {
  test('is not there before the first letter, and goes when it has been idle', async () => {
    const printer = printerWith({ idle_ms: 50 });
    expect(printer.isOpen()).toBe(false);
    expect(isPdf(await printer.print(letter()))).toBe(true);
    await until(() => !printer.isOpen());
    expect(isPdf(await printer.print(letter()))).toBe(true);
  });

  test('prints what many ask for at once, each their own', async () => {
    const printer = printerWith();
    const marks = Array.from({ length: 12 }, (_, at) => `Subject ${'x'.repeat(at + 1)}`);
    const printed = await Promise.all(marks.map((title) => printer.print(letter({ title }))));
    for (const [at, pdf] of printed.entries())
      expect(Buffer.from(pdf).toString('latin1')).toContain(`(${marks[at]} INV-2026-00001)`);
  });

  test('refuses what it cannot come to soon', async () => {
    const printer = printerWith({ waiting: 1 });
    const asked = await Promise.allSettled([1, 2, 3, 4].map(() => printer.print(letter())));
    expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    expect(asked[3]).toMatchObject({ reason: { status: 503, code: 'printer_busy' } });
    expect(isPdf(await printer.print(letter()))).toBe(true);
  });

  test('gives up what takes too long, and goes on with the next', async () => {
    const printer = printerWith({ patience_ms: 1 });
    await expect(printer.print(letter())).rejects.toMatchObject({ status: 503, code: 'printer_busy' });
    expect(printer.isOpen()).toBe(false);
  });

  test('fails with a letter that cannot be printed, and not with the next', async () => {
    const printer = printerWith();
    const broken = letter({ from: { logo: new Uint8Array([1, 2, 3]) } });
    await expect(printer.print(broken)).rejects.toThrow(/image/i);
    expect(isPdf(await printer.print(letter()))).toBe(true);
  });
});
