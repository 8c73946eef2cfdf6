/** Separates the sender's own text from its quotations and signature. */

/** Text with its collapsible parts. */
export interface SeparatedText {
  /** Sender's own text, with the quotations in between. */
  own: string;
  /** Quotations and signature. Null for none. */
  quoted: string | null;
}

type LineKind = 'own' | 'blank' | 'quoted' | 'signature';

const isQuoted = (line: string): boolean => /^\s{0,4}>/.test(line);

/** First words of an introduction with a date, by language. */
const OPENINGS = [
  'on', // On Mon, Mar 2, 2026 at 9:00 AM, Suite wrote:
  'am', // Am 02.03.2026 um 09:00 schrieb Suite:
  'le', // Le 02/03/2026 à 09:00, Suite a écrit :
  'el', // El 2/3/26 a las 9:00, Suite escribió:
  'il', // Il 02/03/2026 09:00, Suite ha scritto:
  'em', // Em 02/03/2026 09:00, Suite escreveu:
  'op', // Op 02-03-2026 om 09:00 schreef Suite:
  'den', // Den 02.03.2026 09.00, skrev Suite:
  'dnia', // Dnia 2 mar 2026 o godz. 09:00 Suite napisał(a):
  'w dniu', // W dniu 02.03.2026 o 09:00, Suite pisze:
  'ma|ti|ke|to|pe|la|su', // ma 2. maalisk. 2026 klo 9.00 Suite kirjoitti:
  'dne', // Dne 02. 03. 26 v 9:00 Suite napsal(a):
];
const VERBS = [
  'wrote',
  'schrieb',
  'écrit',
  'escribió',
  'scritto',
  'escreveu',
  'schreef',
  'skrev',
  'pisze',
  String.raw`napisał(?:\(a\))?`,
  'kirjoitti',
  String.raw`napsal(?:\(a\))?`,
];
/** Titles between dashes, above an original message without marks. */
const TITLES = [
  'original message',
  'forwarded message',
  'begin forwarded message',
  'ursprüngliche nachricht',
  'weitergeleitete nachricht',
  "message d'origine",
  'message transféré',
  'mensaje original',
  'messaggio originale',
  'mensagem original',
  'oorspronkelijk bericht',
  'oprindelig besked',
];
/**
 * Lines that introduce a quotation. Only lines of limited length are checked. A lookahead ends the verb, because `\b`
 * treats `ó` as the end of a word.
 */
const INTRODUCTIONS = [
  new RegExp(String.raw`^(?:-+ ?)?(?:${OPENINGS.join('|')}) .*\d.* (?:${VERBS.join('|')})(?!\p{L}).*:(?: ?-+)?$`, 'iu'),
  // Suite <help@suite.test> a écrit :
  new RegExp(String.raw`^.*<[^<>\s]+@[^<>\s]+> ?(?:a |ha )?(?:${VERBS.join('|')}) ?:$`, 'iu'),
  // Suite 于2026年3月2日周一 09:00写道：
  /(?:写道|のメッセージ|작성)[:：]$/u,
  // ----- Ursprüngliche Nachricht von Suite -----
  new RegExp(String.raw`^-{2,} ?(?:${TITLES.join('|')})(?: von .{1,60})? ?-{2,}$`, 'iu'),
];
const LINE_MAX = 300;

const hasAddress = (line: string): boolean => /[<(][^<>()\s@]+@[^<>()\s@]+[>)]/.test(line);
const hasTime = (line: string): boolean => /\d{4}/.test(line) && /\d{1,2}[:.h]\d{2}/.test(line);

/** Checks for an address, a year and a time, as programs write them in any language: `пн, 2 мар. 2026 г. в 09:00, Suite <…>:`. */
const isIntroductionInAnyLanguage = (line: string): boolean => /[:：]$/.test(line) && hasAddress(line) && hasTime(line);

function isIntroduction(line: string): boolean {
  const text = line.trim();
  return (
    line.length <= LINE_MAX &&
    (isIntroductionInAnyLanguage(text) || INTRODUCTIONS.some((pattern) => pattern.test(text)))
  );
}

/** Returns the number of lines of an introduction at a line, or 0 without one. Programs wrap long introductions. */
function introductionAt(lines: readonly string[], at: number): number {
  if (isIntroduction(lines[at]!)) return 1;
  const next = lines[at + 1] ?? '';
  // A complete introduction stands alone. The line above is a part of it only if it has the date.
  const isWrapped = next.trim() !== '' && !isQuoted(next) && (!isIntroduction(next) || hasTime(lines[at]!));
  return isWrapped && isIntroduction(`${lines[at]!.trim()} ${next.trim()}`) && /^\S{1,10} /.test(lines[at]!) ? 2 : 0;
}

/** Matches `From: …` in the block that programs add before the quoted message. */
const LABEL = /^\*?\s?(\p{L}[\p{L} -]{0,20}?)\s?[:：]\*?\s+\S/u;
const FROM = /^(?:from|von|de|da|van|fra|från|od|от|lähettäjä|kimden|差出人|发件人|寄件者|보낸 사람)$/iu;

/** Returns true if a block of header fields begins at a line: `From:` and at least two more. */
function isHeaderBlockAt(lines: readonly string[], at: number): boolean {
  const [, label] = LABEL.exec(lines[at]!.slice(0, LINE_MAX).trim()) ?? [];
  if (!label || !FROM.test(label)) return false;
  const next = lines.slice(at + 1, at + 8).filter((line) => line.trim() !== '');
  return next.slice(0, 4).filter((line) => LABEL.test(line.slice(0, LINE_MAX).trim())).length >= 2;
}

/** Checks for a line of dashes or underscores, with or without a title. */
const isRule = (line: string): boolean =>
  /^\s*[_-]{2,}(?:[^_-]{1,60}[_-]{2,})?\s*$/.test(line.slice(0, LINE_MAX)) || /^_{5,}$/.test(line.trim());

/** Returns the next line with text. */
function nextLineWithText(lines: readonly string[], at: number): number {
  let next = at;
  while (next < lines.length && lines[next]!.trim() === '') next += 1;
  return next;
}

/** Returns the line at which a quoted message without `>` begins. It extends to the end of the text. */
function unmarkedQuoteAt(lines: readonly string[]): number {
  for (let at = 0; at < lines.length; at += 1) {
    if (lines[at]!.trim() === '' || isQuoted(lines[at]!)) continue;
    if (isHeaderBlockAt(lines, at)) return at;
    const length = introductionAt(lines, at);
    const next = nextLineWithText(lines, at + (length || 1));
    if (next >= lines.length) continue;
    if (isRule(lines[at]!) && isHeaderBlockAt(lines, next)) return at;
    if (length > 0 && !isQuoted(lines[next]!)) return at;
  }
  return lines.length;
}

/** Checks for a line with an address or a time that ends with a colon. Above quoted lines, it introduces them. */
const looksLikeIntroduction = (line: string): boolean => /[:：]$/.test(line) && (hasAddress(line) || hasTime(line));

/** Returns the lines that introduce the quotations below them. */
function introductionsOf(lines: readonly string[]): Set<number> {
  const found = new Set<number>();
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!.slice(0, LINE_MAX).trim();
    if (line === '' || isQuoted(line)) continue;
    const length = introductionAt(lines, at) || (looksLikeIntroduction(line) ? 1 : 0);
    const next = nextLineWithText(lines, at + length);
    if (length === 0 || next >= lines.length || !isQuoted(lines[next]!)) continue;
    for (let part = at; part < at + length; part += 1) found.add(part);
  }
  return found;
}

/** Lines that phones and programs add below a message. */
const DEVICE_SIGNATURE =
  /^(?:sent (?:from|via|with)|get outlook for|von meinem|gesendet (?:von|mit)|sendt fra|skickat från|envoyé (?:de|depuis|à partir)|télécharger outlook|enviado (?:desde|do)|inviato da|verzonden (?:vanaf|met)|verstuurd vanaf|wysłane z|отправлено с) .*(?:(?<!\p{L})(?:my|meinem|mon|mi|mijn|mio|meu|min|mojego)(?!\p{L})|mail|outlook|yahoo|proton|samsung|galaxy|iphone|ipad|android|blackberry|huawei|xiaomi|windows|phone|handy|mobil)/iu;
const DEVICE_SIGNATURE_MAX = 120;
/**
 * Maximum length of a signature in lines with text: after `-- ` (RFC 3676), and after dashes that may also divide the
 * sender's text.
 */
const MARKED_SIGNATURE_MAX = 12;
const UNMARKED_SIGNATURE_MAX = 6;

const isDeviceSignature = (line: string): boolean =>
  line.length <= DEVICE_SIGNATURE_MAX && DEVICE_SIGNATURE.test(line.trim());

/**
 * Returns the line at which the signature after the sender's own text begins: at `-- `, or at lines that a phone adds.
 */
function signatureAt(kinds: readonly LineKind[], lines: readonly string[]): number {
  const end = kinds.lastIndexOf('own');
  let written = 0;
  for (let at = end; at >= 0 && kinds[at] !== 'quoted' && written <= MARKED_SIGNATURE_MAX; at -= 1) {
    if (lines[at] === '-- ') return at;
    if (lines[at] === '--' && written <= UNMARKED_SIGNATURE_MAX) return at;
    written += kinds[at] === 'own' ? 1 : 0;
  }
  const isBelowText = (at: number) => kinds[at] === 'blank' || (kinds[at] === 'own' && isDeviceSignature(lines[at]!));
  let begin = lines.length;
  for (let at = end; at >= 0 && isBelowText(at); at -= 1) if (kinds[at] === 'own') begin = at;
  return begin;
}

function kindsOf(lines: readonly string[]): LineKind[] {
  const unmarked = unmarkedQuoteAt(lines);
  const introductions = introductionsOf(lines);
  const kinds = lines.map((line, at): LineKind => {
    if (line.trim() === '') return 'blank';
    return at >= unmarked || isQuoted(line) || introductions.has(at) ? 'quoted' : 'own';
  });
  const from = signatureAt(kinds, lines);
  return kinds.map((kind, at) => (kind === 'own' && at >= from ? 'signature' : kind));
}

/** Returns lines without empty lines at both ends. */
function textOf(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return lines.slice(Math.max(first, 0), last + 1).join('\n');
}

/**
 * Separates a text. Quotations are collapsed if all of them precede or all follow the sender's text. Replies between
 * quotations keep their order, because each belongs to the quotation before it. A text with quotations only counts as
 * the sender's text.
 */
export function separateQuotes(text: string): SeparatedText {
  const lines = text.split('\n');
  const kinds = kindsOf(lines);
  const first = kinds.indexOf('own');
  if (first === -1) return { own: text, quoted: null };
  const last = kinds.lastIndexOf('own');
  const hasQuotation = (from: number, to: number) => kinds.slice(from, to).some((kind) => kind === 'quoted');
  const isBetween = hasQuotation(first, last) || (hasQuotation(0, first) && hasQuotation(last + 1, lines.length));
  const begin = isBetween ? 0 : first;
  const rest = [lines.slice(0, begin), lines.slice(last + 1)].map(textOf).filter(Boolean);
  return { own: textOf(lines.slice(begin, last + 1)), quoted: rest.join('\n') || null };
}
