/** Converts the HTML of e-mails to plain text. */
import { createRequire } from 'node:module';

interface Element {
  children?: unknown[];
}
interface Builder {
  addInline(text: string): void;
}
type Walk = (children: unknown[], builder: Builder) => void;
/** Relevant part of the library, which publishes no types. */
interface Library {
  compile(options: object): (html: string) => string;
}

const require = createRequire(import.meta.url);
const NAMES_OF_HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const tight = { leadingLineBreaks: 1, trailingLineBreaks: 1 };

let convert: ((html: string) => string) | undefined;

/** Returns the converter, compiled once: compiling takes longer than converting a short e-mail. */
function converter(): (html: string) => string {
  convert ??= (require('html-to-text') as Library).compile({
    wordwrap: false,
    formatters: {
      // Adds a space, so that the words of two cells are not joined.
      cell(element: Element, walk: Walk, builder: Builder) {
        walk(element.children ?? [], builder);
        builder.addInline(' ');
      },
    },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'title', format: 'skip' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
      { selector: 'blockquote', format: 'blockquote', options: tight },
      ...NAMES_OF_HEADINGS.map((selector) => ({
        selector,
        format: 'heading',
        options: { uppercase: false, ...tight },
      })),
      { selector: 'table', format: 'block', options: tight },
      { selector: 'tr', format: 'block', options: tight },
      ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
    ],
  });
  return convert;
}

/** Limits for HTML that the library converts, because its time and output grow with the square of the depth. */
const CONVERTED = { characters: 1_000_000, tags: 20_000, depth: 200 };

const NO_CONTENT =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|p|li|dt|dd|option|tr|td|th|thead|tbody|tfoot)$/i;

/** Returns true if HTML is within the limits of the library. Counts closing tags without matching their names. */
function isConvertible(html: string): boolean {
  if (html.length > CONVERTED.characters) return false;
  let depth = 0;
  let tags = 0;
  for (const [, closing, name] of html.matchAll(/<(\/?)([a-z][\w:-]{0,30})/gi)) {
    tags += 1;
    if (!NO_CONTENT.test(name!)) depth = closing ? Math.max(0, depth - 1) : depth + 1;
    if (depth > CONVERTED.depth || tags > CONVERTED.tags) return false;
  }
  return true;
}

const ENTITIES: Readonly<Record<string, string>> = { nbsp: ' ', lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** Removes tags in one pass, for HTML that exceeds the limits of the library. */
function stripTags(html: string): string {
  const parts: string[] = [];
  let skipped: string | undefined;
  for (const [, tag, text = ''] of html.matchAll(/<(\/?[a-z!?][^<>]*)>?|([^<]+|<)/gi)) {
    const [name = ''] = /^\/?[a-z0-9]+/i.exec(tag ?? '') ?? [];
    const lower = name.toLowerCase();
    if (lower === 'script' || lower === 'style' || lower === 'title') skipped = `/${lower}`;
    else if (lower === skipped) skipped = undefined;
    else if (tag && /^\/?(?:br|p|div|tr|li|h\d|blockquote|table)$/.test(lower)) parts.push('\n');
    else if (!tag && !skipped) parts.push(text);
  }
  return parts
    .join('')
    .replaceAll(/&(nbsp|lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name]!)
    .replaceAll(/\n{3,}/g, '\n\n');
}

/** Matches images inside the HTML, which can have megabytes and no text. */
const DATA_URL = /data:[\w/.+-]{1,80};base64,[A-Za-z\d+/=\s]+/g;

/** Converts HTML to plain text. Quotations begin with `>`. */
export function htmlToText(html: string): string {
  const content = html.replaceAll(DATA_URL, '').replaceAll('\0', '');
  if (!isConvertible(content)) return stripTags(content);
  try {
    return converter()(content).replaceAll('\u00a0', ' ');
  } catch {
    return stripTags(content);
  }
}
