/** Converts plain text to HTML. */
import { escapeHtml } from '@suite/mail';

/** Converts a text to HTML: escapes it, starts a paragraph at an empty line, and keeps line breaks. */
export const textToParagraphs = (text: string): string =>
  escapeHtml(text)
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>')}</p>`)
    .join('');
