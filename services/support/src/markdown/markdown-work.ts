/** Markdown as HTML, as a worker thread makes it: some texts take seconds. */
import { excerptOf, letterToHtml, toHtml } from './markdown.ts';

// Loads the libraries before the first text, so that their loading is not counted as its work.
toHtml('*');

/** The HTML of an article or an answer, and its first words. */
export function formatArticle(text: string, excerpt_length: number): { html: string; excerpt: string } {
  const html = toHtml(text);
  return { html, excerpt: excerptOf(html, excerpt_length) };
}

/** The HTML of letters, in their order. */
export const formatLetters = (texts: readonly string[]): string[] => texts.map(letterToHtml);
