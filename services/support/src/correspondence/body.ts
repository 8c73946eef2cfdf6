/** The words of an e-mail: as text, cleaned, with what it quotes folded away and never thrown away. */
import { mailHtml } from '../markdown/markdown.ts';
import { LIMITS } from './mail.rules.ts';
import type { ReadMail } from './message.ts';

/** The words of an e-mail. */
export interface MailBody {
  /** The sender's own words. */
  body: string;
  /** Quoted text and signature; null where there is neither. */
  quoted: string | null;
  /** The whole e-mail as its HTML shows it, cleaned; null for one of plain text. */
  html: string | null;
  /** Whether the body was longer than is shown. */
  cut: boolean;
}

/** The most characters that are told apart from quotations; what follows stays in the raw e-mail. */
const READ_MAX = 4 * LIMITS.shown;

/** Without signs that are no text. */
const withoutControls = (text: string): string => text.toWellFormed().replaceAll(/(?![\t\n])\p{Cc}/gu, '');

/** Line ends as \\n, without signs that cannot be seen or are no text. */
const plain = (text: string): string =>
  withoutControls(text.replaceAll(/\r\n?/g, '\n'))
    .split('\n')
    // By an expression, a line of a million spaces would take minutes.
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();

/** Separates the words of the sender from what he quotes. A message that only quotes is shown whole. */
export async function bodyOf({ text, html = null }: Pick<ReadMail, 'text'> & Partial<ReadMail>): Promise<MailBody> {
  const written = plain(text.slice(0, READ_MAX));
  const { default: EmailReplyParser } = await import('email-reply-parser');
  const fragments = new EmailReplyParser().read(written).getFragments();
  const join = (parts: typeof fragments) =>
    parts
      .map((part) => part.getContent())
      .join('\n')
      .trim();
  const own = join(fragments.filter((part) => !part.isHidden() && !part.isQuoted()));
  const rest = join(fragments.filter((part) => part.isHidden() || part.isQuoted()));
  const body = own || written;
  return {
    body: body.slice(0, LIMITS.shown),
    quoted: own ? rest || null : null,
    html: mailHtml(html && withoutControls(html)),
    cut: body.length > LIMITS.shown || text.length > READ_MAX,
  };
}
