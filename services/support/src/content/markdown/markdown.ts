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

type MarkdownRenderer = new (options: object) => { render(text: string): string };

/**
 * Chosen: tags in the Markdown are shown as text. The HTML is therefore only from the library, and sanitising is a
 * second protection.
 */
function renderer(options: object): (text: string) => string {
  let instance: InstanceType<MarkdownRenderer> | undefined;
  return (text) => {
    instance ??= new (require('markdown-it') as MarkdownRenderer)({ html: false, linkify: true, ...options });
    return instance.render(text);
  };
}

const renderMarkdown = renderer({});
/** Renderer for messages to people, which keeps line breaks. */
const renderMessage = renderer({ breaks: true });

const TEXT_TAGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'ul', 'ol', 'li'];
const TABLE_TAGS = ['table', 'thead', 'tbody', 'tr', 'th', 'td'];

const SANITIZER_OPTIONS: sanitizer.IOptions = {
  allowedTags: [...TEXT_TAGS, ...TABLE_TAGS, 'a', 'img', 'strong', 'em', 's', 'code'],
  allowedAttributes: { a: ['href', 'title', 'rel'], img: ['src', 'alt', 'title'], ol: ['start'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'nofollow noopener' } }),
  },
};

/** Returns the HTML of a Markdown text. */
export const toHtml = (text: string): string => sanitize(renderMarkdown(text), SANITIZER_OPTIONS).trim();

/** Returns the HTML of a message in Markdown, such as a reply to a ticket. */
export const messageToHtml = (text: string): string => sanitize(renderMessage(text), SANITIZER_OPTIONS).trim();

/** Maximum number of HTML characters stored of an e-mail. */
const MAIL_HTML_MAX = 500_000;

/**
 * Returns the sanitised HTML of an e-mail, without images. Loading an image would reveal to its sender who reads the
 * e-mail, and when.
 */
export function mailHtml(html: string | null): string | null {
  if (html === null || html.length > MAIL_HTML_MAX) return null;
  const allowedTags = [...TEXT_TAGS, ...TABLE_TAGS, 'a', 'strong', 'b', 'em', 'i', 'u', 's', 'code', 'div', 'span'];
  return sanitize(html, { ...SANITIZER_OPTIONS, allowedTags, nestingLimit: 100 }).trim() || null;
}

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** Returns an excerpt of HTML as plain text. */
export function excerptOf(html: string, characters: number): string {
  const text = sanitize(html, { allowedTags: [], allowedAttributes: {} });
  const plain = text.replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity]!).replaceAll(/\s+/g, ' ');
  return [...plain.trim()].slice(0, characters).join('').trimEnd();
}
