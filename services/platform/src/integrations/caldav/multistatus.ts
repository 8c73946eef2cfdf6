/** WebDAV XML (RFC 4918): requests and multistatus responses. */
import { ServerRejection } from '../../connections/integrations/server-rejection.ts';

export const DAV = 'DAV:';
export const CALDAV = 'urn:ietf:params:xml:ns:caldav';

/** The parts of an XML element that are read. */
export interface DavElement {
  localName: string | null;
  namespaceURI: string | null;
  textContent: string | null;
  childNodes: Iterable<DavElement>;
}

/** Response for one address in a multistatus. */
export interface DavResponse {
  /** Address as the server writes it. */
  href: string;
  /** Status of the address itself. Defaults to 200 if the server states none. */
  status: number;
  /** Returns a property by name, or undefined. */
  prop(name: string, namespace?: string): DavElement | undefined;
}

/** Complete content of one response. */
export interface Multistatus {
  responses: DavResponse[];
  sync_token: string | undefined;
}

const invalidResponse = () => new ServerRejection('This is not a CalDAV server. Check the address.', 200);

/** Returns the child elements with a name. */
export const childrenOf = (parent: DavElement | undefined, name: string, namespace = DAV): DavElement[] =>
  [...(parent?.childNodes ?? [])].filter((node) => node.localName === name && node.namespaceURI === namespace);

/** Returns the trimmed text of the first child element with a name. */
export const textIn = (parent: DavElement | undefined, name: string, namespace = DAV): string | undefined =>
  childrenOf(parent, name, namespace)[0]?.textContent?.trim();

/** Returns true if an element has a child with this name. */
export const hasChild = (parent: DavElement | undefined, name: string, namespace = DAV): boolean =>
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

/** Starts of XML markup: a skipped section, or a tag with all its attributes. */
const TOKEN = /<(?:!\[CDATA\[|!--|\?|(\/?)[^!?/<>"'\s][^"'<>]*(?:(?:"[^"]*"|'[^']*')[^"'<>]*)*)/g;
const SKIPPED: Readonly<Record<string, string>> = { '<![CDATA[': ']]>', '<!--': '-->', '<?': '?>' };
const DEPTH_MAX = 64;
const ATTRIBUTES_MAX = 64;
/**
 * Maximum number of tags and other markup in a response. A response has a few thousand entries with about ten tags
 * each.
 */
const TOKENS_MAX = 100_000;

/**
 * Rejects short content that takes a parser very long: thousands of nested elements or attributes. Parsing blocks all
 * other requests.
 */
function assertWithinLimits(content: string): void {
  let [depth, tokens] = [0, 0];
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(content); found; found = TOKEN.exec(content)) {
    const [token, slash] = found;
    tokens += 1;
    if (tokens > TOKENS_MAX) throw invalidResponse();
    const end = SKIPPED[token];
    if (end) {
      const at = content.indexOf(end, TOKEN.lastIndex);
      if (at === -1) throw invalidResponse();
      TOKEN.lastIndex = at + end.length;
      continue;
    }
    if (!token.endsWith('/')) depth += slash ? -1 : 1;
    if (depth > DEPTH_MAX || token.split('=').length > ATTRIBUTES_MAX) throw invalidResponse();
  }
}

/** NUL characters, which XML forbids and the database cannot store. */
const NUL = /\0|&#(?:0+|x0+);/i;

/**
 * Parses a multistatus response. Rejects a document type: no valid response has one, and it can declare entities.
 * @throws ServerRejection
 */
export async function readMultistatus(text: string): Promise<Multistatus> {
  const content = text.replace(/^\uFEFF/, '').trimStart();
  if (!content.startsWith('<') || /<!DOCTYPE|<!ENTITY/i.test(content) || NUL.test(content)) throw invalidResponse();
  assertWithinLimits(content);
  // Loaded with the first calendar, because most workspaces have none.
  const { create } = await import('xmlbuilder2');
  let root: DavElement;
  try {
    root = create(content).root().node as unknown as DavElement;
  } catch {
    throw invalidResponse();
  }
  if (root.localName !== 'multistatus' || root.namespaceURI !== DAV) throw invalidResponse();
  return { responses: childrenOf(root, 'response').map(responseOf), sync_token: textIn(root, 'sync-token') };
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const requestBody = (name: string, content: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><${name} xmlns:d="${DAV}" xmlns:c="${CALDAV}">${content}</${name}>`;
const propList = (names: readonly string[]): string => `<d:prop>${names.map((name) => `<${name}/>`).join('')}</d:prop>`;

/** Returns a request for properties. @param names with the prefix d: or c: */
export const propfind = (names: readonly string[]): string => requestBody('d:propfind', propList(names));

/** Returns a request for the changes since a sync token (RFC 6578). */
export const syncCollection = (token: string): string =>
  requestBody(
    'd:sync-collection',
    `<d:sync-token>${escapeXml(token)}</d:sync-token><d:sync-level>1</d:sync-level>${propList(['d:getetag'])}`,
  );

/** Returns a request for entries by address (RFC 4791). */
export const multiget = (names: readonly string[], hrefs: readonly string[]): string =>
  requestBody(
    'c:calendar-multiget',
    propList(names) + hrefs.map((href) => `<d:href>${escapeXml(href)}</d:href>`).join(''),
  );
