/** Converts Markdown to HTML in a worker thread, because some texts take seconds. */
import { excerptOf, messageToHtml, toHtml } from './markdown.ts';

// Loads the libraries before the first text, so that the limits exclude the loading time.
toHtml('*');

/** Returns the HTML of an article or an answer, with an excerpt. */
export function formatArticle(text: string, excerpt_length: number): { html: string; excerpt: string } {
  const html = toHtml(text);
  return { html, excerpt: excerptOf(html, excerpt_length) };
}

/** Returns the HTML of messages in their order. */
export const formatMessages = (texts: readonly string[]): string[] => texts.map(messageToHtml);
