import { describe, expect, test } from '@jest/globals';
import { linesFit, textWork } from './text-work.ts';

const filled = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length)).slice(0, length);

describe('the work of printing a text', () => {
  // Measured in µs of processor time per character, in units of 5 µs.
  test.each([
    ['English', 'Four cylinders, 12 valves. ', 1, 1],
    ['Russian', 'Четыре цилиндра. ', 1, 1],
    ['Chinese', '四個汽缸，十二個氣門。', 2, 3],
    ['Arabic', 'أربع أسطوانات ', 2, 5],
    ['words of 900 characters', 'x', 6, 8],
    ['characters with three marks', 'a\u0301\u0302\u0303', 8, 20],
    ['a change of script at each character', 'a\u05d0\u0627\u4e00', 12, 40],
    ['rare characters', '\u1401\u1402 ', 4, 20],
    ['emoji', '😀🚀', 3, 30],
  ])('is counted per character: %s', (_, part, least, most) => {
    const each = textWork(filled(part, 900)) / 900;
    expect(Math.round(each)).toBeGreaterThanOrEqual(least);
    expect(each).toBeLessThan(most + 1);
  });

  test('is calculated in linear time, up to the longest body', () => {
    const costOf = (length: number) => {
      const text = filled('a\u05d0\u0627\u4e00', length);
      const runs = Array.from({ length: 5 }, () => {
        const before = process.cpuUsage();
        textWork(text);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      });
      return Math.min(...runs);
    };
    // Quadratic work would cost 64 times as much.
    expect(costOf(250_000) / costOf(31_250)).toBeLessThan(24);
  });
});

describe('the lines of a document', () => {
  const lines = (count: number, part: string, length: number) =>
    Array.from({ length: count }, () => ({ description: filled(part, length) }));

  test.each([
    ['200 lines of 1,000 characters', lines(200, 'Four cylinders. ', 1_000)],
    ['200 lines of 400 Chinese characters', lines(200, '四個汽缸', 400)],
    ['200 lines of 300 Arabic characters', lines(200, 'أربع أسطوانات ', 300)],
    ['lines without a description', [{ description: null }, {}]],
  ])('fit on a PDF: %s', (_, some) => {
    expect(linesFit(some)).toBe(true);
  });

  test.each([
    ['40 lines of 900 characters in several scripts', lines(40, 'a\u05d0\u0627\u4e00', 900)],
    ['200 lines of 2,000 characters', lines(200, 'Four cylinders. ', 2_000)],
    ['200 lines of 2,000 characters without a space', lines(200, 'x', 2_000)],
  ])('are too long for a PDF: %s', (_, some) => {
    expect(linesFit(some)).toBe(false);
  });
});
