/** The words of an e-mail: as text, cleaned, with what it quotes folded away and never thrown away. */
import { LIMITS } from './mail.rules.ts';
import type { ReadMail } from './message.ts';

/** The words of an e-mail. */
export interface MailBody {
  /** The sender's own words. */
  body: string;
  /** Quoted text and signature; null where there is neither. */
  quoted: string | null;
  /** Whether the body was longer than is shown. */
  cut: boolean;
}

/** Line ends as \\n, without signs that cannot be seen or are no text. */
const plain = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\t\n])\p{Cc}/gu, '')
    .replaceAll(/[ \t]+$/gm, '')
    .trim();

/** Separates the words of the sender from what he quotes. A message that only quotes is shown whole. */
export async function bodyOf({ text }: Pick<ReadMail, 'text'>): Promise<MailBody> {
  const written = plain(text);
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
  return { body: body.slice(0, LIMITS.shown), quoted: own ? rest || null : null, cut: body.length > LIMITS.shown };
}
