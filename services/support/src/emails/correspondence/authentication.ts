/**
 * Sender authentication by the mailbox's own receiving server (RFC 8601). Only that server's results count, because any
 * sender can add such a field to their own e-mail.
 */

/** Header field, in its original order. */
export interface HeaderLine {
  /** Address in lower case. */
  key: string;
  line: string;
}

const valueOf = ({ line }: HeaderLine): string =>
  line
    .slice(line.indexOf(':') + 1)
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Removes comments in parentheses, which can contain anything. */
const withoutComments = (text: string): string => text.replaceAll(/\([^()]*\)/g, ' ');

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/**
 * Returns true if a domain is the sender's, or one above or below it: relaxed alignment in RFC 7489, without a list of
 * public suffixes.
 */
const isAligned = (domain: string, from: string): boolean =>
  domain === from || (domain.split('.').length > 1 && from.endsWith(`.${domain}`)) || domain.endsWith(`.${from}`);

/** Returns the results of one field, without the server name. */
const resultsOf = (value: string): string[] =>
  withoutComments(value)
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

/** Returns true if a result proves that the domain in From sent the e-mail. */
function isProof(result: string, from: string): boolean {
  const [, method = ''] = /^(spf|dkim|dmarc)\s*=\s*pass\b/.exec(result) ?? [];
  const domain = method && propertyOf(result, PROPERTIES[method]!);
  return Boolean(domain) && isAligned(domain as string, from);
}

/**
 * Returns the verdict of the mailbox's own receiving server: the topmost field with its name. A server adds its fields
 * at the top. A lower field may be forged by the sender, even if the server does not remove such fields (RFC 8601,
 * section 5).
 * @param server the name of that server (authserv-id), in lower case. Null without a named server: then no sender is
 * authenticated
 * @returns null without a verdict
 */
export function authenticatedBy(
  lines: readonly HeaderLine[],
  server: string | null,
  from_address: string,
): boolean | null {
  const isFromOwnServer = (one: HeaderLine) =>
    one.key === 'authentication-results' &&
    withoutComments(valueOf(one)).trim().split(/[\s;]/)[0]!.toLowerCase() === server;
  const verdict = lines.find(isFromOwnServer);
  return verdict ? resultsOf(valueOf(verdict)).some((result) => isProof(result, domainOf(from_address))) : null;
}
