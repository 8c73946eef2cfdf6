import { describe, expect, test } from '@jest/globals';
import { excerptOf, messageToHtml, mailHtml, toHtml } from './markdown.ts';

const SIZE = 20_000;
const filled = (part: string): string => part.repeat(SIZE / part.length);

/** Matches tags that a browser executes, and attributes with scripts. */
const ACTIVE =
  /<(?:script|iframe|object|embed|svg|style|form|base|meta|link)\b|<[^>]*\s(?:on\w+=|(?:href|src)="\s*javascript:)/i;

describe('a hostile text', () => {
  const texts = [
    ['emphasis', filled('*a')],
    ['brackets', filled('[')],
    ['links without an end', filled('[a](')],
    ['images', filled('![')],
    ['quotes', filled('>')],
    ['lists within lists', filled('- ')],
    ['code marks', filled('`')],
    ['addresses', filled('http://a ').concat('x')],
    ['tables', `|a|\n|-|\n${filled('|a|\n')}`],
    ['tags', filled('<a ')],
    ['entities', filled('&amp;')],
    ['strikes', filled('~~a')],
    ['scripts', filled('<script>alert(1)</script>')],
    ['links with scripts', filled('[a](javascript:alert(1)) ')],
    ['attributes with scripts', filled('<p onclick="alert(1)">a</p>')],
  ] as const;

  test.each(texts)('results in HTML without scripts and within the expected length: %s', (_, text) => {
    for (const html of [toHtml(text), messageToHtml(text), mailHtml(text) ?? '']) {
      expect(html).not.toMatch(ACTIVE);
      expect(html.length).toBeLessThan(SIZE * 40);
    }
    expect([...excerptOf(toHtml(text), 200)].length).toBeLessThanOrEqual(200);
  });

  test('shows no HTML beyond the limit of an e-mail', () => {
    expect(mailHtml('a'.repeat(500_001))).toBeNull();
    expect(mailHtml('<div>'.repeat(10_000))).not.toMatch(/(?:<div>){101}/);
  });
});
