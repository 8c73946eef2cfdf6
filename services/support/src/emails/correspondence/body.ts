/** Text of an e-mail: converted, sanitised, and with collapsed quotations. Nothing is discarded. */
import { mailHtml } from '../../content/markdown/markdown.ts';
import { LIMITS } from '../../content/mime/mail.rules.ts';
import { cutText, type ReadMail } from './message.ts';
import { separateQuotes } from './quotes.ts';

/** Text of an e-mail. */
export interface MailBody {
  /** Text by the sender, without quotations. */
  body: string;
  /** Quoted text and signature. Null without either. */
  quoted: string | null;
  /** Text in its original order, up to the limit. */
  whole: string;
  /** Entire e-mail as sanitised HTML. Null for plain text. */
  html: string | null;
  /** True if `body` is only the beginning of the sender's own text. */
  is_truncated: boolean;
  /** Full text, if another field is truncated. */
  full_text: string | null;
}

/** Maximum length of a text that is searched for quotations. */
const READ_MAX = 4 * LIMITS.shown;

/** Removes characters that are not text. */
const withoutControls = (text: string): string => text.toWellFormed().replaceAll(/(?![\t\n])\p{Cc}/gu, '');

/** Converts line ends to \\n, and removes invisible or invalid characters. */
const toPlainText = (text: string): string =>
  withoutControls(text.replaceAll(/\r\n?/g, '\n'))
    .split('\n')
    // A regular expression would take minutes for a line of a million spaces. The space after `--` marks a signature.
    .map((line) => (line === '-- ' ? line : line.trimEnd()))
    .join('\n')
    .trim();

/** Separates the sender's own text from quotations. An e-mail with quotations only is shown in full. */
export function bodyOf({ text, html = null }: Pick<ReadMail, 'text'> & Partial<ReadMail>): MailBody {
  const plain = toPlainText(text);
  const { own, quoted } = separateQuotes(cutText(plain, READ_MAX));
  const is_truncated = own.length > LIMITS.shown || plain.length > READ_MAX;
  return {
    body: cutText(own, LIMITS.shown),
    quoted,
    whole: cutText(plain, LIMITS.shown),
    html: mailHtml(html && withoutControls(html)),
    is_truncated,
    full_text: is_truncated || plain.length > LIMITS.shown ? plain : null,
  };
}
