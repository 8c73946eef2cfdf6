import { expect, test } from '@jest/globals';
import { escapeHtml, textToHtml } from './html.ts';

test('escaped text contains no markup', () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;');
});

test.each([
  ['blocks of lines are paragraphs', 'Hello,\n\nfirst\nsecond\n\n\n\n', '<p>Hello,</p>\n<p>first<br>\nsecond</p>'],
  ['markup is shown as text', '<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
  ['an empty text has no paragraph', ' \n\n ', ''],
])('%s', (_, text, html) => {
  expect(textToHtml(text)).toBe(html);
});

test.each([
  ['See https://example.com/a?b=1&c=2.', 'https://example.com/a?b=1&amp;c=2', '.'],
  ['(http://example.com/a)', 'http://example.com/a', ')'],
  ['https://example.com/#token!?', 'https://example.com/#token', '!?'],
  ['https://example.com/a"onclick="x', 'https://example.com/a', '&quot;onclick=&quot;x'],
  ["https://example.com/a'b", 'https://example.com/a&#39;b', ''],
])('links the URL in %s without the characters after it', (text, address, rest) => {
  const html = textToHtml(text);
  expect(html).toContain(`<a href="${address}">${address}</a>${rest}`);
  expect(html.match(/<a /g)).toHaveLength(1);
});

test.each(['javascript:alert(1)', 'ftp://example.com', 'data:text/html,x', 'example.com'])(
  'does not link %s',
  (text) => {
    expect(textToHtml(text)).toBe(`<p>${text}</p>`);
  },
);

test('converts a long text with many URLs without repeated passes', () => {
  expect(textToHtml('https://a.test/ '.repeat(20_000)).match(/<a /g)).toHaveLength(20_000);
  expect(textToHtml(`https://a.test/${'.'.repeat(100_000)}x`)).toContain('x</a>');
});
