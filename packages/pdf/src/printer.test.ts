import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { pagesOf } from '@suite/testing';
import { engine, samplePdf } from '../test/sample-pdf.ts';
import { PATIENT_LIMITS } from '../test/printing.ts';
import { openPrinter } from './printer.ts';

const open: { close(): void }[] = [];
afterAll(() => open.forEach((one) => one.close()));

function printerWith(options: Partial<Parameters<typeof openPrinter>[0]> = {}) {
  const printer = openPrinter({ ...PATIENT_LIMITS, ...options });
  open.push(printer);
  return printer;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(10);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const isPdf = (content: Uint8Array) => Buffer.from(content.subarray(0, 5)).toString() === '%PDF-';

describe('a printer', () => {
  test('starts with the first PDF, and ends after it was idle', async () => {
    const printer = printerWith({ idle_ms: 50 });
    expect(printer.processId()).toBeUndefined();
    expect(isPdf(await printer.print(samplePdf(), 'ours'))).toBe(true);
    await until(() => printer.processId() === undefined);
    expect(isPdf(await printer.print(samplePdf(), 'ours'))).toBe(true);
  });

  test('prints many concurrent requests, each with its own content', async () => {
    const printer = printerWith();
    const names = Array.from({ length: 12 }, (_, at) => `Customer ${at + 1}.`);
    const printed = await Promise.all(names.map((name) => printer.print(samplePdf({ to: { name } }), 'ours')));
    for (const [at, pdf] of printed.entries()) expect((await pagesOf(pdf)).join()).toContain(names[at]);
  });

  test('rejects PDFs that would wait too long', async () => {
    const printer = printerWith({ waiting: 2 });
    const asked = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((workspace) => printer.print(samplePdf(), workspace)),
    );
    expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    expect(asked[3]).toMatchObject({ reason: { status: 503, code: 'printer_busy' } });
    expect(isPdf(await printer.print(samplePdf(), 'ours'))).toBe(true);
  });

  test('kills a print that takes too long, and prints the next in a new process', async () => {
    const runaway = samplePdf({
      lines: Array.from({ length: 200 }, () => ({ ...engine, description: 'x '.repeat(1_000) })),
    });
    const impatient = printerWith({ deadline_ms: 1 });
    await expect(impatient.print(runaway, 'ours')).rejects.toMatchObject({ status: 503, code: 'print_timeout' });
    expect(impatient.processId()).toBeUndefined();
  });

  test('prints in a new process after the process ended while it was idle', async () => {
    const printer = printerWith();
    await printer.print(samplePdf(), 'ours');
    const first = printer.processId()!;
    process.kill(first, 'SIGKILL');
    await until(() => !isAlive(first));
    expect(isPdf(await printer.print(samplePdf(), 'ours'))).toBe(true);
    expect(printer.processId()).not.toBe(first);
  });

  test.each([
    ['prints again in a new process if the process ends during a print', 1, 'fulfilled'],
    ['rejects a print whose second process ends, too', 2, 'rejected'],
  ])('%s', async (_, kills, status) => {
    const printer = printerWith();
    const asked = Promise.allSettled([printer.print(samplePdf(), 'ours')]);
    const killed = new Set<number>();
    while (killed.size < kills) {
      await until(() => printer.processId() !== undefined && !killed.has(printer.processId()!));
      killed.add(printer.processId()!);
      process.kill(printer.processId()!, 'SIGKILL');
    }
    const [outcome] = await asked;
    expect(outcome).toMatchObject({ status, ...(kills === 2 && { reason: { status: 503, code: 'printer_busy' } }) });
    expect(isPdf(await printer.print(samplePdf(), 'ours'))).toBe(true);
  });

  test('rejects a PDF of too much text before layout, unless it is in one script', async () => {
    const printer = printerWith();
    const withNotes = (notes: string) => samplePdf({ texts: [['notes', notes]] });
    await expect(printer.print(withNotes('a\u0627\u4e00 '.repeat(9_000)), 'ours')).rejects.toMatchObject({
      status: 422,
      code: 'document_too_long',
    });
    expect(printer.processId()).toBeUndefined();
    expect(isPdf(await printer.print(withNotes('word '.repeat(7_200)), 'ours'))).toBe(true);
  });

  test.each([
    ['before it takes time', 'line\n'.repeat(9_000)],
    ['when it turns out so', 'word\n'.repeat(7_800)],
  ])('rejects a PDF of too many pages %s', async (_, notes) => {
    const printer = printerWith();
    const long = samplePdf({ texts: [['notes', notes]] });
    await expect(printer.print(long, 'ours')).rejects.toMatchObject({
      status: 422,
      code: 'document_too_long',
      message: expect.stringContaining('100 pages'),
    });
    expect(isPdf(await printer.print(samplePdf(), 'ours'))).toBe(true);
  });

  test('fails for a PDF that cannot be printed, and not for the next one', async () => {
    const printer = printerWith();
    const broken = samplePdf({ from: { logo: new Uint8Array([1, 2, 3]) } });
    await expect(printer.print(broken, 'ours')).rejects.toThrow(/image/i);
    expect(isPdf(await printer.print(samplePdf(), 'ours'))).toBe(true);
  });
});
