/** HTML alternative of a plain text. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text so that it contains no markup. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign]!);

/** Web address in a text, without the punctuation that ends the sentence. */
const ADDRESS = /https?:\/\/[^\s<>"]+/g;
const PUNCTUATION = new Set(".,;:!?)]}'`");

/**
 * Returns a URL without trailing punctuation. A regular expression would need quadratic time for a long row of dots.
 */
function withoutPunctuation(address: string): string {
  let end = address.length;
  while (PUNCTUATION.has(address[end - 1]!)) end -= 1;
  return address.slice(0, end);
}

function withLinks(line: string): string {
  let html = '';
  let end = 0;
  for (const { 0: found, index } of line.matchAll(ADDRESS)) {
    const address = withoutPunctuation(found);
    html += `${escapeHtml(line.slice(end, index))}<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`;
    end = index + address.length;
  }
  return html + escapeHtml(line.slice(end));
}

/** Converts plain text to HTML: a paragraph for each block of lines, with URLs as links. */
export const textToHtml = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter(Boolean)
    .map((block) => `<p>${block.split('\n').map(withLinks).join('<br>\n')}</p>`)
    .join('\n');
