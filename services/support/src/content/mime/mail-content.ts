/** Finds the text of an e-mail in its parts at any depth, and its attachments. */
import { charsetOfHtml, decodeText } from './charset.ts';
import { htmlToText } from './html-text.ts';
import type { MimePart } from './parts.ts';

/** Text of an e-mail or a part. */
export interface MessageText {
  text: string;
  /** HTML of the text. Null without any HTML. */
  html: string | null;
}

/** Text of an e-mail, with the other parts. */
export interface MailContent extends MessageText {
  attachments: MimePart[];
}

const isMultipart = ({ type }: MimePart): boolean => type.startsWith('multipart/');
const isText = ({ type }: MimePart): boolean => type === 'text/plain' || type === 'text/html';
const isBlank = (text: string): boolean => !/[^\s\u200b-\u200d\u2060\ufeff\u00ad]/.test(text);

/** Joins the soft-wrapped lines of format=flowed (RFC 3676). */
function unwrap(text: string, spaces: 'keep_space' | 'delete_space'): string {
  const lines: string[] = [];
  let open: string | undefined;
  for (const line of text.split('\n')) {
    const [quote = ''] = /^>*/.exec(line) ?? [];
    const content = line.slice(quote.length).replace(/^ /, '');
    const isContinued = open === quote && content !== '-- ';
    if (isContinued) lines.push(`${lines.pop()!}${content}`);
    else lines.push(quote ? `${quote} ${content}` : content);
    const isOpen = content.endsWith(' ') && content !== '-- ';
    open = isOpen ? quote : undefined;
    if (isOpen && spaces === 'delete_space') lines.push(lines.pop()!.slice(0, -1));
  }
  return lines.join('\n');
}

function plainTextOf({ content, charset, flowed }: MimePart): string {
  const text = decodeText(content, charset).replaceAll(/\r\n?/g, '\n');
  return flowed ? unwrap(text, flowed) : text;
}

const htmlOf = ({ content, charset }: MimePart): string => decodeText(content, charset ?? charsetOfHtml(content));

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const textToHtml = (text: string): string =>
  text.replaceAll(/[&<>]/g, (character) => ENTITIES[character]!).replaceAll('\n', '<br>');

/** Returns the text of a text part. */
function textOfPart(part: MimePart): MessageText {
  if (part.type !== 'text/html') return { text: plainTextOf(part), html: null };
  const html = htmlOf(part);
  return { text: htmlToText(html), html };
}

/** Joins texts in order. */
function joinTexts(all: readonly MessageText[]): MessageText {
  const texts = all.filter(({ text, html }) => !isBlank(text) || html !== null);
  const hasHtml = texts.some(({ html }) => html !== null);
  return {
    text: texts.map(({ text }) => text.trim()).join('\n\n'),
    html: hasHtml ? texts.map(({ text, html }) => html ?? textToHtml(text)).join('<br>\n') : null,
  };
}

/** Selects one of several forms of a text: the plain text if available, and the HTML. */
function selectForm(forms: readonly MessageText[]): MessageText {
  const nonBlank = forms.filter(({ text }) => !isBlank(text));
  const plain = nonBlank.find(({ html }) => html === null) ?? nonBlank.at(-1);
  return { text: plain?.text ?? '', html: forms.findLast(({ html }) => html !== null)?.html ?? null };
}

/** Parts divided into text and attachments. */
interface PartSorting {
  /** Returns true if a part is text. All other parts are attachments. */
  isTextPart: (part: MimePart) => boolean;
  attachments: MimePart[];
}

/** Checks for an alternative form of the text for other programs, such as AMP. Such a part is not an attachment. */
const isAlternativeForm = ({ type, name, disposition }: MimePart): boolean =>
  /^text\/(?!calendar|plain|html|csv|vcard|x-vcard|directory)/.test(type) && !name && disposition !== 'attachment';

function divideParts(part: MimePart, sorting: PartSorting): MessageText {
  if (part.type === 'multipart/alternative') {
    const forms = part.children.filter((child) => !isAlternativeForm(child));
    return selectForm(forms.map((child) => divideParts(child, sorting)));
  }
  if (part.children.length > 0) return joinTexts(part.children.map((child) => divideParts(child, sorting)));
  // Multipart without parts: its boundary is wrong or missing.
  if (isMultipart(part)) return { text: plainTextOf(part), html: null };
  if (sorting.isTextPart(part)) return textOfPart(part);
  sorting.attachments.push(part);
  return { text: '', html: null };
}

const leavesOf = (part: MimePart): MimePart[] => (part.children.length > 0 ? part.children.flatMap(leavesOf) : [part]);

/** Parts that can contain the text of an e-mail, by preference. The first with text applies. */
const TEXT_PART_RULES: readonly ((part: MimePart) => boolean)[] = [
  (part) => isText(part) && part.disposition !== 'attachment' && !part.name,
  // Some programs add a file name to the text.
  (part) => isText(part) && part.disposition !== 'attachment',
  (part) => isText(part) && !part.name,
];

/**
 * Returns the text of an e-mail and its attachments. HTML is converted wherever there is no plain text.
 * @param readEnclosedText reads an enclosed message, whose text is included if it is inline or the sender wrote none
 */
export async function readMailContent(
  root: MimePart,
  readEnclosedText: (part: MimePart) => Promise<MessageText>,
): Promise<MailContent> {
  let content: MailContent | undefined;
  for (const isTextPart of TEXT_PART_RULES) {
    const attachments: MimePart[] = [];
    const texts = divideParts(root, { isTextPart, attachments });
    if (isBlank(texts.text) && content) continue;
    // Text with a file name is also stored as a file.
    const namedParts = content ? leavesOf(root).filter((part) => part.name && isTextPart(part)) : [];
    content = { ...texts, attachments: [...attachments, ...namedParts.filter((part) => !attachments.includes(part))] };
    if (!isBlank(texts.text)) break;
  }
  const { attachments, ...texts } = content!;
  const enclosed = attachments.filter(({ type }) => type === 'message/rfc822' || type === 'message/global');
  const shown = isBlank(texts.text) ? enclosed : enclosed.filter(({ disposition }) => disposition === 'inline');
  const enclosedTexts: MessageText[] = [];
  for (const part of shown) enclosedTexts.push(await readEnclosedText(part));
  return { ...(enclosedTexts.length > 0 ? joinTexts([texts, ...enclosedTexts]) : texts), attachments };
}
