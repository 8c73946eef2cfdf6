/** E-mails in the name of a workspace: who sends them, where answers go, and why the reader gets them. */
import { escapeHtml, type Mail, singleLine, textToHtml } from '@suite/mail';

/** The terms on which an e-mail of a workspace is sent. */
export interface EmailTerms {
  workspace_name: string;
  /** The address for answers to e-mails that name none; empty where nobody can be reached. */
  reply_to: string;
  /** The pages of the workspace that e-mails link to, by kind: addresses with placeholders such as `{id}`. */
  links: Readonly<Record<string, string>>;
  /** Seconds until the allowance covers the recipients; 0 if it covers them now. */
  retry_after_s: number;
}

/** An e-mail as a service writes it. Without `from`, it leaves with the operator's address in the name of the workspace. */
export interface WorkspaceEmail extends Mail {
  /** The name of the sender, if it is not that of the workspace. */
  sender_name?: string;
  /** Why the reader gets the e-mail, as it continues "You receive this e-mail because …". */
  because?: string;
}

const NAMED = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/;

/** The operator's sender address with its name: `Suite <suite@example.com>`. */
function operatorOf(mail_from: string): { name: string; address: string } {
  const [, name = '', address = mail_from.trim()] = NAMED.exec(mail_from) ?? [];
  return { name, address };
}

/** A name in front of an address, without the characters that could end it or begin another field. */
const quoted = (name: string): string => `"${singleLine(name).replaceAll(/["\\<>]/g, '')}"`;

/** The operator's address in the name of somebody: `"Northwind via Suite" <suite@example.com>`. */
export function fromVia(sender: string, mail_from: string): string {
  const { name, address } = operatorOf(mail_from);
  return `${quoted(name && sender !== name ? `${sender} via ${name}` : sender)} <${address}>`;
}

/** Returns the e-mail with sender, address for answers and footer. */
export function signedFor(
  { sender_name, because, ...mail }: WorkspaceEmail,
  { workspace_name, reply_to }: Pick<EmailTerms, 'workspace_name' | 'reply_to'>,
  mail_from: string,
): Mail {
  const { name: suite } = operatorOf(mail_from);
  const sent = `${singleLine(workspace_name)} sent this e-mail${suite ? ` with ${suite}` : ''}.`;
  const footer = because ? `${sent} You receive it because ${because}.` : sent;
  const answers = mail.reply_to || reply_to;
  return {
    ...mail,
    from: mail.from ?? fromVia(sender_name ?? workspace_name, mail_from),
    ...(answers && { reply_to: answers }),
    text: `${mail.text.trimEnd()}\n\n${footer}\n`,
    html: `${mail.html ?? textToHtml(mail.text)}\n<p><small>${escapeHtml(footer)}</small></p>`,
  };
}

/** The page of the workspace for a record, or undefined where the workspace names none. Values are encoded. */
export function pageOf(
  { links }: Pick<EmailTerms, 'links'>,
  kind: string,
  values: Readonly<Record<string, string>>,
): string | undefined {
  return links[kind]?.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

/** The last paragraph of a text: the link to its record, or nothing. */
export const linkLine = (page: string | undefined): string => (page ? `\nOpen: ${page}\n` : '');
