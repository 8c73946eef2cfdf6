import { describe, expect, test } from '@jest/globals';
import { readMultistatus } from './multistatus.ts';

/** Maximum number of characters read from a response. */
const SIZE = 1_000_000;
const filled = (part: string): string => part.repeat(Math.floor(SIZE / part.length));
const within = (content: string): string => `<multistatus xmlns="DAV:">${content}</multistatus>`;

describe('a hostile response of a calendar server', () => {
  test.each([
    ['empty elements', within(filled('<a/>'))],
    ['elements with namespaces', within(filled('<a xmlns:b="c"><b:d/></a>'))],
    ['processing instructions', within(filled('<?a?>'))],
    ['comments', within(filled('<!---->'))],
    ['comments without an end', within(filled('<!--'))],
    ['character data without an end', within(filled('<![CDATA['))],
    ['elements within each other', within(filled('<a>'))],
    ['tags without an end', within(filled('<a '))],
    ['quotes without an end', within(filled('<a "'))],
    ['attributes', within(`<a ${filled('b="c" ')}/>`)],
    ['closing tags', within(filled('</a'))],
    ['entities that are declared', `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(1_000)}">]>${within('&b;')}`],
    ['zero characters', within('&#0;')],
    ['no XML', filled('x')],
  ])('is rejected if it consists of %s', async (_, content) => {
    await expect(readMultistatus(content)).rejects.toThrow('This is not a CalDAV server. Check the address.');
  });

  test('is accepted if it only has thousands of entries', async () => {
    const entry = '<response><href>/a</href><propstat><prop><getetag>"1"</getetag></prop></propstat></response>';
    expect((await readMultistatus(within(entry.repeat(5_000)))).responses).toHaveLength(5_000);
  });
});
