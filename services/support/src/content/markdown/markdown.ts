/**
 * Converts Markdown to HTML that is safe to show. One library creates the HTML, and another sanitises it with an
 * allow-list.
 */
import { createRequire } from 'node:module';
import type sanitizer from 'sanitize-html';

const require = createRequire(import.meta.url);
/** Both libraries are loaded with the first text: they have 100 files, and many processes never need them. */
const sanitize = (html: string, options: sanitizer.IOptions): string =>
  (require('sanitize-html') as typeof sanitizer)(html, options);

type Reader = new (options: object) => { render(text: string): string };

/**
 * Chosen: tags in the Markdown are shown as text. The HTML is therefore only from the library, and sanitising is a
 * second protection.
 */
function reader(options: object): (text: string) => string {
  let made: InstanceType<Reader> | undefined;
  return (text) => {
    made ??= new (require('markdown-it') as Reader)({ html: false, linkify: true, ...options });
    return made.render(text);
  };
}

const fromMarkdown = reader({});
/** Renderer for messages to people, which keeps line breaks. */
const fromLetter = reader({ breaks: true });

const TEXT = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'ul', 'ol', 'li'];
const TABLES = ['table', 'thead', 'tbody', 'tr', 'th', 'td'];

const CLOSED: sanitizer.IOptions = {
  allowedTags: [...TEXT, ...TABLES, 'a', 'img', 'strong', 'em', 's', 'code'],
  allowedAttributes: { a: ['href', 'title', 'rel'], img: ['src', 'alt', 'title'], ol: ['start'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'nofollow noopener' } }),
  },
};

/** Returns the HTML of a Markdown text. */
export const toHtml = (text: string): string => sanitize(fromMarkdown(text), CLOSED).trim();

/** Returns the HTML of a message in Markdown, such as a reply to a ticket. */
export const messageToHtml = (text: string): string => sanitize(fromLetter(text), CLOSED).trim();

/** Maximum number of HTML characters stored of an e-mail. */
const MAIL_HTML_MAX = 500_000;

/**
 * Returns the sanitised HTML of an e-mail, without pictures. Loading a picture would reveal to its sender who reads the
 * e-mail, and when.
 */
export function mailHtml(html: string | null): string | null {
  if (html === null || html.length > MAIL_HTML_MAX) return null;
  const allowedTags = [...TEXT, ...TABLES, 'a', 'strong', 'b', 'em', 'i', 'u', 's', 'code', 'div', 'span'];
  return sanitize(html, { ...CLOSED, allowedTags, nestingLimit: 100 }).trim() || null;
}

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** Returns an excerpt of HTML as plain text. */
export function excerptOf(html: string, characters: number): string {
  const text = sanitize(html, { allowedTags: [], allowedAttributes: {} });
  const plain = text.replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity]!).replaceAll(/\s+/g, ' ');
  return [...plain.trim()].slice(0, characters).join('').trimEnd();
}
