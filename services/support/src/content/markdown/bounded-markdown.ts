/** Converts Markdown to HTML within limits. Worker threads format long texts, because markup can make them slow. */
import { type ExceededLimit, openWorkers } from '@suite/bounded-work';
import { Fault, fault } from '@suite/chassis/faults';
import { textToParagraphs as escaped } from './plain-text.ts';
import { excerptOf, messageToHtml, toHtml } from './markdown.ts';

export const MarkdownTooComplex = fault(
  422,
  'markdown_too_complex',
  'This text takes too long to format. Use less markup or divide the text.',
);

/**
 * Chosen: maximum length of texts that are formatted without a worker thread. They take a few milliseconds at most,
 * regardless of their content.
 */
const DIRECT_LENGTH_MAX = 5_000;

const workers = openWorkers<typeof import('./markdown-worker.ts')>(new URL('./markdown-worker.ts', import.meta.url), {
  refuse: (reason: ExceededLimit): Fault => MarkdownTooComplex({ reason }),
  memory_mb: 192,
});

/**
 * Returns the HTML of an article or an answer, with an excerpt of limited length.
 * @throws MarkdownTooComplex, TooManyRequests, Unavailable
 */
export async function markdownToHtml(
  workspace_id: string,
  text: string,
  excerpt_length = 0,
): Promise<{ html: string; excerpt: string }> {
  if (text.length > DIRECT_LENGTH_MAX) return await workers.call.formatArticle(workspace_id, text, excerpt_length);
  const html = toHtml(text);
  return { html, excerpt: excerptOf(html, excerpt_length) };
}

/**
 * Returns the HTML of messages, such as the replies in a ticket. Messages that take too long are shown as written, so
 * that a ticket always opens.
 * @throws TooManyRequests, Unavailable
 */
export async function messagesToHtml(workspace_id: string, texts: readonly string[]): Promise<string[]> {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length <= DIRECT_LENGTH_MAX) return texts.map(messageToHtml);
  try {
    return await workers.call.formatMessages(workspace_id, texts);
  } catch (error) {
    if (error instanceof Fault && error.code === MarkdownTooComplex.code) return texts.map(escaped);
    throw error;
  }
}
