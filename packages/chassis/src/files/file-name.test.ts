import { describe, expect, test } from '@jest/globals';
import { safeFileName } from './file-name.ts';

describe('the name of a file', () => {
  test.each([
    ['keeps its name and extension', 'Report 2026.pdf', 'pdf', 'Report 2026.pdf'],
    ['gets the extension of its content', 'report.exe', 'pdf', 'report.exe.pdf'],
    ['loses dots and spaces at its ends', ' .. report \u00a0\t', 'txt', 'report.txt'],
    ['keeps the extension of a long name', `${'a'.repeat(200_000)}.jpeg`, 'jpg', `${'a'.repeat(120)}.jpeg`],
    ['can contain many spaces', `a${' '.repeat(200_000)}b.txt`, 'txt', `a${' '.repeat(119)}.txt`],
    ['can consist of spaces', ' '.repeat(200_000), 'txt', 'file.txt'],
    ['can contain many marks', `e${'\u0316\u0301'.repeat(100_000)}`, 'txt', `é${'\u0316'.repeat(119)}.txt`],
  ])('%s', (_, name, ext, safe) => {
    expect(safeFileName(name, ext)).toBe(safe);
  });
});
