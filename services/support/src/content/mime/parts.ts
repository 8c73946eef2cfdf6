/** Splits an e-mail into its parts, under limits, and decodes them. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { MimeNode, SplitterChunk } from '@zone-eu/mailsplit';
import { LIMITS, TooManyAttachments, UnreadableMail } from './mail.rules.ts';

/** Part of an e-mail. */
export interface MimePart {
  /** Media type in lower case, such as `text/html`. */
  type: string;
  charset: string | null;
  /** Disposition declared by the sender, in lower case. Null for none. */
  disposition: string | null;
  /** File name from the sender. Null for none. */
  name: string | null;
  content_id: string | null;
  /** Soft line wrapping (RFC 3676): off, or on with the space at the wrap kept or deleted. */
  flowed: false | 'keep_space' | 'delete_space';
  /** Content after transfer decoding. For a multipart without parts, its lines. */
  content: Buffer;
  children: MimePart[];
}

interface RawPart extends Omit<MimePart, 'content' | 'children'> {
  node: MimeNode;
  lines: Buffer[];
  children: RawPart[];
}

const depthOf = (part: Pick<MimeNode, 'parentNode'>): number => (part.parentNode ? depthOf(part.parentNode) + 1 : 0);

/** Returns the type of a part. Parts of a digest are messages by default (RFC 2046). */
function typeOf({ contentType, headers, parentNode }: MimeNode): string {
  const isDeclared = headers && headers.hasHeader('content-type');
  if (!isDeclared && parentNode && parentNode.multipart === 'digest') return 'message/rfc822';
  return contentType || 'text/plain';
}

const rawPartOf = (node: MimeNode): RawPart => ({
  node,
  type: typeOf(node),
  charset: node.charset || null,
  disposition: node.disposition || null,
  name: node.filename || null,
  content_id: (node.headers && node.headers.getFirst('content-id')) || null,
  flowed: node.flowed && (node.delSp ? 'delete_space' : 'keep_space'),
  lines: [],
  children: [],
});

async function decode({ node, lines, children, ...part }: RawPart): Promise<MimePart> {
  const decoded: MimePart[] = [];
  for (const child of children) decoded.push(await decode(child));
  const bytes = Buffer.concat(lines);
  if (node.multipart) return { ...part, content: decoded.length > 0 ? Buffer.alloc(0) : bytes, children: decoded };
  const decoder = node.getDecoder();
  decoder.end(bytes);
  return { ...part, content: await buffer(decoder), children: decoded };
}

/** Reads the parts of a message. @throws UnreadableMail, TooManyAttachments */
export async function readParts(raw: Buffer): Promise<MimePart> {
  // Loaded with the first e-mail, because many processes never read one.
  const { Splitter } = await import('@zone-eu/mailsplit');
  const splitter = new Splitter({ maxHeadSize: LIMITS.head_bytes, maxChildNodes: LIMITS.parts, ignoreEmbedded: true });
  const parts = new Map<MimeNode, RawPart>();
  let attachments = 0;
  let limitFault: Error | undefined;
  splitter.on('data', (chunk: SplitterChunk) => {
    if (chunk.type === 'data' || chunk.type === 'body') return void parts.get(chunk.node)?.lines.push(chunk.value);
    if (chunk.type !== 'node' || parts.has(chunk)) return;
    if (depthOf(chunk) > LIMITS.depth) limitFault ??= UnreadableMail({ reason: 'nesting' });
    const part = rawPartOf(chunk);
    parts.set(chunk, part);
    if (chunk.parentNode) parts.get(chunk.parentNode)?.children.push(part);
    if (part.disposition === 'attachment' || part.name) attachments += 1;
  });
  const ended = once(splitter, 'end');
  Readable.from([raw]).pipe(splitter);
  await ended.catch((error: unknown) => {
    throw UnreadableMail({ reason: (error as Error).message });
  });
  if (attachments > LIMITS.attachments) throw TooManyAttachments({ attachments, most: LIMITS.attachments });
  if (limitFault) throw limitFault;
  const [root] = parts.values();
  if (!root) throw UnreadableMail({ reason: 'empty' });
  return await decode(root);
}

/** Returns the head of a message, including the empty line that ends it. */
export function headOf(raw: Buffer): Buffer {
  const ends = ['\r\n\r\n', '\n\n']
    .map((end) => ({ at: raw.indexOf(end), length: end.length }))
    .filter(({ at }) => at !== -1);
  const [first] = ends.toSorted((one, other) => one.at - other.at);
  return first ? raw.subarray(0, first.at + first.length) : raw.subarray(0, LIMITS.head_bytes);
}
