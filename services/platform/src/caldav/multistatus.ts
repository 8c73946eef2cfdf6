/** The XML of WebDAV (RFC 4918): what is asked, and the many answers in one. */
import { ServerRefused } from '../integrations/server-refused.ts';

export const DAV = 'DAV:';
export const CALDAV = 'urn:ietf:params:xml:ns:caldav';

/** An element, as far as it is read. */
export interface DavElement {
  localName: string | null;
  namespaceURI: string | null;
  textContent: string | null;
  childNodes: Iterable<DavElement>;
}

/** The answer about one address. */
export interface DavResponse {
  /** As the server writes it. */
  href: string;
  /** Of the address itself, where the server says it; 200 otherwise. */
  status: number;
  /** The property of a name, where the server has it. */
  prop(name: string, namespace?: string): DavElement | undefined;
}

/** All of what is answered at once. */
export interface Multistatus {
  responses: DavResponse[];
  sync_token: string | undefined;
}

const notUnderstood = () => new ServerRefused('The server does not answer as a calendar server does.', 200);

/** The elements of a name within one. */
export const childrenOf = (parent: DavElement | undefined, name: string, namespace = DAV): DavElement[] =>
  [...(parent?.childNodes ?? [])].filter((node) => node.localName === name && node.namespaceURI === namespace);

/** The text of the first element of a name within one, without what is around it. */
export const textIn = (parent: DavElement | undefined, name: string, namespace = DAV): string | undefined =>
  childrenOf(parent, name, namespace)[0]?.textContent?.trim();

/** Whether there is an element of a name within one. */
export const has = (parent: DavElement | undefined, name: string, namespace = DAV): boolean =>
  childrenOf(parent, name, namespace).length > 0;

const statusIn = (parent: DavElement): number | undefined => {
  const [, code] = /^HTTP\/\d(?:\.\d)? (\d{3})/.exec(textIn(parent, 'status') ?? '') ?? [];
  return code === undefined ? undefined : Number(code);
};

function responseOf(node: DavElement): DavResponse {
  const found = childrenOf(node, 'propstat').filter((one) => (statusIn(one) ?? 200) < 300);
  return {
    href: textIn(node, 'href') ?? '',
    status: statusIn(node) ?? 200,
    prop: (name, namespace) => found.flatMap((one) => childrenOf(childrenOf(one, 'prop')[0], name, namespace))[0],
  };
}

/** Beginnings of what stands in XML between texts: of a part that is skipped, or of a tag with all its attributes. */
const TOKEN = /<(?:!\[CDATA\[|!--|\?|(\/?)[^!?/<>"'\s][^"'<>]*(?:(?:"[^"]*"|'[^']*')[^"'<>]*)*)/g;
const SKIPPED: Readonly<Record<string, string>> = { '<![CDATA[': ']]>', '<!--': '-->', '<?': '?>' };
const MOST_DEEP = 64;
const MOST_ATTRIBUTES = 64;
/** The most tags and other markup of a response. A response names a few thousand entries, with some ten tags each. */
const MOST_TOKENS = 100_000;

/**
 * Refuses what takes a parser very long though it is short: elements within elements, and with attributes, in thousands. Nobody
 * else is served meanwhile.
 */
function assertPlain(content: string): void {
  let [depth, tokens] = [0, 0];
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(content); found; found = TOKEN.exec(content)) {
    const [token, slash] = found;
    tokens += 1;
    if (tokens > MOST_TOKENS) throw notUnderstood();
    const end = SKIPPED[token];
    if (end) {
      const at = content.indexOf(end, TOKEN.lastIndex);
      if (at === -1) throw notUnderstood();
      TOKEN.lastIndex = at + end.length;
      continue;
    }
    if (!token.endsWith('/')) depth += slash ? -1 : 1;
    if (depth > MOST_DEEP || token.split('=').length > MOST_ATTRIBUTES) throw notUnderstood();
  }
}

/** No XML has it, and nothing of ours can keep it. */
const NUL = /\0|&#(?:0+|x0+);/i;

/**
 * Reads an answer. A document type is refused: nothing that we ask for has one, and entities are declared there.
 * @throws ServerRefused
 */
export async function readMultistatus(text: string): Promise<Multistatus> {
  const content = text.replace(/^\uFEFF/, '').trimStart();
  if (!content.startsWith('<') || /<!DOCTYPE|<!ENTITY/i.test(content) || NUL.test(content)) throw notUnderstood();
  assertPlain(content);
  // Loaded with the first calendar: most workspaces have none.
  const { create } = await import('xmlbuilder2');
  let root: DavElement;
  try {
    root = create(content).root().node as unknown as DavElement;
  } catch {
    throw notUnderstood();
  }
  if (root.localName !== 'multistatus' || root.namespaceURI !== DAV) throw notUnderstood();
  return { responses: childrenOf(root, 'response').map(responseOf), sync_token: textIn(root, 'sync-token') };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const question = (name: string, content: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><${name} xmlns:d="${DAV}" xmlns:c="${CALDAV}">${content}</${name}>`;
const props = (names: readonly string[]): string => `<d:prop>${names.map((name) => `<${name}/>`).join('')}</d:prop>`;

/** Asks for properties. @param names with the prefix d: or c: */
export const propfind = (names: readonly string[]): string => question('d:propfind', props(names));

/** Asks what has changed since a token was given (RFC 6578). */
export const syncCollection = (token: string): string =>
  question(
    'd:sync-collection',
    `<d:sync-token>${escaped(token)}</d:sync-token><d:sync-level>1</d:sync-level>${props(['d:getetag'])}`,
  );

/** Asks for entries by their addresses (RFC 4791). */
export const multiget = (names: readonly string[], hrefs: readonly string[]): string =>
  question('c:calendar-multiget', props(names) + hrefs.map((href) => `<d:href>${escaped(href)}</d:href>`).join(''));
