/** The words of an e-mail: as text, cleaned, with its quotations folded away and never thrown away. */
import { mailHtml } from '../markdown/markdown.ts';
import { LIMITS } from '../mime/mail.rules.ts';
import { cutText, type ReadMail } from './message.ts';
import { separateQuotes } from './quotes.ts';

/** The words of an e-mail. */
export interface MailBody {
  /** The sender's own words. */
  body: string;
  /** Quoted text and signature; null where there is neither. */
  quoted: string | null;
  /** The text in the order in which it was written, up to the limit. */
  whole: string;
  /** The whole e-mail as HTML, cleaned; null for plain text. */
  html: string | null;
  /** Whether `body` is only the beginning of the sender's own words. */
  is_truncated: boolean;
  /** The whole text, if one of the others is only its beginning. */
  full_text: string | null;
}

/** The longest text in which quotations are looked for. */
const READ_MAX = 4 * LIMITS.shown;

/** Without characters that are no text. */
const withoutControls = (text: string): string => text.toWellFormed().replaceAll(/(?![\t\n])\p{Cc}/gu, '');

/** Line ends as \\n, without characters that cannot be seen or are no text. */
const plain = (text: string): string =>
  withoutControls(text.replaceAll(/\r\n?/g, '\n'))
    .split('\n')
    // By an expression, a line of a million spaces would take minutes. The space after `--` marks a signature.
    .map((line) => (line === '-- ' ? line : line.trimEnd()))
    .join('\n')
    .trim();

/** Separates the sender's own words from quotations. An e-mail that only quotes is shown whole. */
export function bodyOf({ text, html = null }: Pick<ReadMail, 'text'> & Partial<ReadMail>): MailBody {
  const written = plain(text);
  const { own, quoted } = separateQuotes(cutText(written, READ_MAX));
  const is_truncated = own.length > LIMITS.shown || written.length > READ_MAX;
  return {
    body: cutText(own, LIMITS.shown),
    quoted,
    whole: cutText(written, LIMITS.shown),
    html: mailHtml(html && withoutControls(html)),
    is_truncated,
    full_text: is_truncated || written.length > LIMITS.shown ? written : null,
  };
}
