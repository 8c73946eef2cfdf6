/** Markdown as HTML that can be shown anywhere: made by one library, and cleaned by another against a closed list. */
import { createRequire } from 'node:module';
import type sanitizer from 'sanitize-html';

const require = createRequire(import.meta.url);
/** Both are loaded with the first text: together they are a hundred files, and many processes never see one. */
const sanitize = (html: string, options: sanitizer.IOptions): string =>
  (require('sanitize-html') as typeof sanitizer)(html, options);

type Reader = new (options: object) => { render(text: string): string };

/** Chosen: tags in the Markdown are shown as text. So what is cleaned is the library's own HTML, and cleaning is a second wall. */
function reader(options: object): (text: string) => string {
  let made: InstanceType<Reader> | undefined;
  return (text) => {
    made ??= new (require('markdown-it') as Reader)({ html: false, linkify: true, ...options });
    return made.render(text);
  };
}

const fromMarkdown = reader({});
/** The same for words that somebody writes to somebody: there a line break stays one. */
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

/** The HTML of a text in Markdown. */
export const toHtml = (text: string): string => sanitize(fromMarkdown(text), CLOSED).trim();

/** The HTML of a letter in Markdown, such as an answer to a ticket. */
export const letterToHtml = (text: string): string => sanitize(fromLetter(text), CLOSED).trim();

/** The most signs of HTML that are kept of an e-mail. */
const MAIL_HTML_MAX = 500_000;

/** The HTML of an e-mail, cleaned, without pictures: one that is fetched would tell its sender who reads it, and when. */
export function mailHtml(html: string | null): string | null {
  if (html === null || html.length > MAIL_HTML_MAX) return null;
  const allowedTags = [...TEXT, ...TABLES, 'a', 'strong', 'b', 'em', 'i', 'u', 's', 'code', 'div', 'span'];
  return sanitize(html, { ...CLOSED, allowedTags, nestingLimit: 100 }).trim() || null;
}

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** The first words of HTML as plain text. */
export function excerptOf(html: string, characters: number): string {
  const text = sanitize(html, { allowedTags: [], allowedAttributes: {} });
  const plain = text.replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity]!).replaceAll(/\s+/g, ' ');
  return [...plain.trim()].slice(0, characters).join('').trimEnd();
}
