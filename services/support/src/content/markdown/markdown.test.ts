import { describe, expect, test } from '@jest/globals';
import { excerptOf, toHtml } from './markdown.ts';

test('converts Markdown to HTML', () => {
  expect(toHtml('# Hello\n\n*World*, ~~no~~ **yes** `x < y`\n\n3. three')).toBe(
    '<h1>Hello</h1>\n<p><em>World</em>, <s>no</s> <strong>yes</strong> <code>x &lt; y</code></p>\n<ol start="3">\n<li>three</li>\n</ol>',
  );
  expect(toHtml('| a |\n|---|\n| b |')).toContain('<td>b</td>');
});

test('links open web pages and e-mail addresses, with nofollow and noopener', () => {
  expect(toHtml('[a](https://example.com "t") <mailto:ada@example.com> http://example.com')).toBe(
    '<p><a href="https://example.com" title="t" rel="nofollow noopener">a</a> <a href="mailto:ada@example.com" rel="nofollow noopener">mailto:ada@example.com</a> <a href="http://example.com" rel="nofollow noopener">http://example.com</a></p>',
  );
});

describe('user content is never executed', () => {
  test.each([
    '<script>alert(1)</script>',
    '<style>p{}</style>',
    '<iframe src="https://example.com"></iframe>',
    '<p onclick="alert(1)">x</p>',
    '[x](javascript:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](//example.com)',
    '![x](javascript:alert(1))',
    '![x](data:image/svg+xml;base64,PHN2Zz4=)',
    '![x" onerror="alert(1)](https://example.com/x.png)',
    '[x](https://example.com "t\\" onclick=alert(1)")',
    '<a href="javascript:alert(1)">x</a>',
    '<svg><script>alert(1)</script></svg>',
    '`<script>`\n\n    <script>alert(1)</script>',
  ])('%s', (text) => {
    const html = toHtml(text);
    const tags = [...html.matchAll(/<(\w+)((?: \w+="[^"]*")*)(?: \/)?>/g)];
    expect(tags.length + [...html.matchAll(/<\/\w+>/g)].length).toBe([...html.matchAll(/</g)].length);
    for (const [, tag = '', attributes = ''] of tags) {
      expect(['p', 'a', 'img', 'code', 'pre']).toContain(tag);
      for (const [, name = '', value = ''] of attributes.matchAll(/(\w+)="([^"]*)"/g)) {
        expect(`${name}=${value}`).toMatch(/^((title|alt|rel)=|(href|src)=https:\/\/)/);
      }
    }
  });
});

test('an excerpt is plain text within the requested length', () => {
  expect(excerptOf(toHtml('# A & B\n\nx < y "z" 👍👍👍'), 16)).toBe('A & B x < y "z"');
  expect(excerptOf(toHtml('👍👍👍'), 2)).toBe('👍👍');
});

test('converts a long complex text quickly', () => {
  const began = performance.now();
  for (const text of ['[', '*a **b', '![a', '>', '<a ', '`']) toHtml(text.repeat(20_000 / text.length));
  expect(performance.now() - began).toBeLessThan(5_000);
});
