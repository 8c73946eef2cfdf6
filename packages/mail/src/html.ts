/** The HTML alternative of a plain text. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text in which nothing is markup. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign]!);

/** A web address in a text; punctuation that ends the sentence is no part of it. */
const ADDRESS = /https?:\/\/[^\s<>"]+/g;
const PUNCTUATION = new Set(".,;:!?)]}'`");

/** An address without the punctuation behind it. A regular expression would need quadratic time for a long row of dots. */
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

/** Plain text as HTML: a paragraph for each block of lines, with web addresses as links. */
export const textToHtml = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter(Boolean)
    .map((block) => `<p>${block.split('\n').map(withLinks).join('<br>\n')}</p>`)
    .join('\n');
