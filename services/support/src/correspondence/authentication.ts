/**
 * Whether a mailbox's own mail server found that the sender of an e-mail is who he says (RFC 8601). Only the words of that server
 * count: anybody can write such a field into his own mail.
 */

/** A header field in the order in which it stands. */
export interface HeadLine {
  /** In lower case. */
  key: string;
  line: string;
}

const valueOf = ({ line }: HeadLine): string =>
  line
    .slice(line.indexOf(':') + 1)
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Without comments in brackets, which may say anything. */
const plain = (text: string): string => text.replaceAll(/\([^()]*\)/g, ' ');

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/** Whether a domain is the sender's, or one above or below it: what RFC 7489 calls relaxed, without a list of public suffixes. */
const isAligned = (domain: string, from: string): boolean =>
  domain === from || (domain.split('.').length > 1 && from.endsWith(`.${domain}`)) || domain.endsWith(`.${from}`);

/** The results of one field, without the name of the server. */
const resultsOf = (value: string): string[] =>
  plain(value)
    .split(';')
    .slice(1)
    .map((result) => result.trim().toLowerCase());

const propertyOf = (result: string, names: readonly string[]): string | undefined => {
  for (const name of names) {
    const [, value] = new RegExp(`\\b${name.replace('.', '\\.')}\\s*=\\s*"?([^\\s;"]+)`).exec(result) ?? [];
    if (value) return domainOf(value);
  }
  return undefined;
};

const PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  spf: ['smtp.mailfrom', 'smtp.mail'],
  dkim: ['header.d', 'header.i'],
  dmarc: ['header.from'],
};

/** Whether a result says that the domain in From sent this. */
function isProof(result: string, from: string): boolean {
  const [, method = ''] = /^(spf|dkim|dmarc)\s*=\s*pass\b/.exec(result) ?? [];
  const domain = method && propertyOf(result, PROPERTIES[method]!);
  return Boolean(domain) && isAligned(domain as string, from);
}

/**
 * The verdict of the mailbox's own mail server: that of the topmost field with its name. A server writes its fields on top, so one
 * that stands below may be the sender's forgery, even where the server does not take such fields out (RFC 8601, section 5).
 * @param server the name of that server (authserv-id), in lower case; null where none is named: then nobody vouches for anybody
 * @returns null where it says nothing
 */
export function authenticatedBy(
  lines: readonly HeadLine[],
  server: string | null,
  from_address: string,
): boolean | null {
  const isOurs = (one: HeadLine) =>
    one.key === 'authentication-results' && plain(valueOf(one)).trim().split(/[\s;]/)[0]!.toLowerCase() === server;
  const verdict = lines.find(isOurs);
  return verdict ? resultsOf(valueOf(verdict)).some((result) => isProof(result, domainOf(from_address))) : null;
}
