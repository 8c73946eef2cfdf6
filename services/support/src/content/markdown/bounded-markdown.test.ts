import { describe, expect, test } from '@jest/globals';
import { messagesToHtml, MarkdownTooComplex, markdownToHtml } from './bounded-markdown.ts';
import { messageToHtml, toHtml } from './markdown.ts';

const workspace_id = '01930000-0000-7000-8000-000000000001';
const LONG = `${'A paragraph with *emphasis* and [a link](https://example.com).\n\n'.repeat(200)}The end.`;

describe('a text in Markdown', () => {
  test.each([
    ['short', '**a**\n\nb'],
    ['long', LONG],
  ])('results in the same HTML with and without a thread if it is %s', async (_, text) => {
    const { html, excerpt } = await markdownToHtml(workspace_id, text, 11);
    expect(html).toBe(toHtml(text));
    expect(excerpt).toBe(text === LONG ? 'A paragraph' : 'a b');
    expect(await messagesToHtml(workspace_id, [text, 'c\nd'])).toEqual([messageToHtml(text), messageToHtml('c\nd')]);
  });

  test('is rejected by name if its marks are unclosed, and shown unchanged in a ticket', async () => {
    // Much longer than the maximum article, so that it exceeds the memory of a thread on any machine.
    const text = '*_`['.repeat(2_500_000);
    const other_workspace = '01930000-0000-7000-8000-000000000002';
    const [rejected, shown] = await Promise.allSettled([
      markdownToHtml(workspace_id, text),
      messagesToHtml(other_workspace, [text]),
    ]);
    expect(rejected).toMatchObject({ reason: { status: 422, code: MarkdownTooComplex.code } });
    expect(shown).toEqual({ status: 'fulfilled', value: [`<p>${text}</p>`] });
  });
});
