/** E-mails in the name of a workspace: sender, reply address, and the reason why the reader gets them. */
import { escapeHtml, type Mail, singleLine, textToHtml } from '@suite/mail';

/** The sending terms of a workspace's e-mails. */
export interface SendingTerms {
  workspace_name: string;
  /** Address for answers to e-mails without a reply address. Empty if there is none. */
  reply_to: string;
  /** The workspace pages that e-mails link to, by kind: URLs with placeholders such as `{id}`. */
  links: Readonly<Record<string, string>>;
  /** Seconds until the allowance covers the recipients; 0 if it covers them now. */
  retry_after_s: number;
}

/** An e-mail of a service. Without `from`, it is sent from the operator's address in the name of the workspace. */
export interface WorkspaceEmail extends Mail {
  /** Name of the sender, if it differs from the name of the workspace. */
  sender_name?: string;
  /** The reason why the reader gets the e-mail, to complete "You receive this e-mail because …". */
  because?: string;
}

const NAMED = /^([^<]*)<([^<>]+)>\s*$/;

/** Returns the operator's sender address with its name: `Suite <suite@example.com>`. */
function operatorOf(mail_from: string): { name: string; address: string } {
  const [, name = '', address = mail_from.trim()] = NAMED.exec(mail_from) ?? [];
  return { name: name.replaceAll('"', '').trim(), address };
}

/** Returns a display name without the characters that could end it or begin another field. */
const quoted = (name: string): string => `"${singleLine(name).replaceAll(/["\\<>]/g, '')}"`;

/** Returns the operator's address with the name of a sender: `"Northwind via Suite" <suite@example.com>`. */
export function senderAddress(sender: string, mail_from: string): string {
  const { name, address } = operatorOf(mail_from);
  return `${quoted(name && sender !== name ? `${sender} via ${name}` : sender)} <${address}>`;
}

/** Returns the e-mail with sender, reply address and footer. */
export function addSenderAndFooter(
  { sender_name, because, ...mail }: WorkspaceEmail,
  { workspace_name, reply_to }: Pick<SendingTerms, 'workspace_name' | 'reply_to'>,
  mail_from: string,
): Mail {
  const { name: suite } = operatorOf(mail_from);
  const sent = `${singleLine(workspace_name)} sent this e-mail${suite ? ` with ${suite}` : ''}.`;
  const footer = because ? `${sent} You receive it because ${because}.` : sent;
  const answers = mail.reply_to || reply_to;
  return {
    ...mail,
    from: mail.from ?? senderAddress(sender_name ?? workspace_name, mail_from),
    ...(answers && { reply_to: answers }),
    text: `${mail.text.trimEnd()}\n\n${footer}\n`,
    html: `${mail.html ?? textToHtml(mail.text)}\n<p><small>${escapeHtml(footer)}</small></p>`,
  };
}

/** Returns the workspace's page for a record. Undefined if the workspace has none. Values are encoded. */
export function pageOf(
  { links }: Pick<SendingTerms, 'links'>,
  kind: string,
  values: Readonly<Record<string, string>>,
): string | undefined {
  return links[kind]?.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

/** Returns the last paragraph of a text with the link to its record, or an empty text. */
export const linkParagraph = (page: string | undefined): string => (page ? `\nOpen: ${page}\n` : '');
