import { createHash } from 'node:crypto';

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The shared style of all pages behind links in e-mails. */
export const PAGE_STYLE =
  'body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem; color: #1f2933; }';

/**
 * Returns the headers of an HTML page with one inline script and one inline style sheet. The browser runs nothing else
 * and connects only to this server. It does not send the URL to other sites, because links in e-mails contain tokens.
 */
export const pageHeaders = ({ script, style }: { script: string; style: string }) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; script-src ${sha256(script)}; style-src ${sha256(style)}; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
});
