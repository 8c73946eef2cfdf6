/** Views of company documents in lists and responses, with temporary links to their files. */
import { sql } from '@suite/chassis/database';
import type { FileLinks } from '@suite/chassis/files';
import type { Caller } from '@suite/chassis/identity';
import { type Expansion, type ListRequest, type Page, readOne } from '@suite/chassis/lists';
import { ownAcknowledgment } from '../acknowledgments/acknowledgment.view.ts';
import { documentStates } from '../notices/notice.rules.ts';
import { listNotices, noticeView } from '../notices/notice.view.ts';
import type { Db } from '../../operations.ts';
import { HrmDocument } from './document.schema.ts';

/** Context for reading documents. */
export interface DocumentReader {
  db: Db;
  caller: Caller;
  links: FileLinks;
}

/** Replaces the file keys in the rows of a page by links. */
const signLinks =
  (links: FileLinks): Expansion =>
  (rows) => {
    for (const row of rows) {
      const { url: key, name, mime } = row as { url: string; name: string; mime: string };
      row['url'] = links.url('/api/hrm-document/download', { key, name, mime });
    }
    return Promise.resolve();
  };

function documentView({ caller }: DocumentReader) {
  const { table, compute } = noticeView('document', documentStates, caller);
  const own = ownAcknowledgment('document', caller);
  return { table, compute: { ...compute, acknowledgment: own, url: sql`hrm_documents.key` } };
}

/** Returns a page of the documents that the caller can see. */
export async function listDocuments(context: DocumentReader, request: ListRequest): Promise<Page> {
  const page = await listNotices(context, 'document', request, documentView(context));
  await signLinks(context.links)(page.rows as Record<string, unknown>[], 'url');
  return page;
}

/** Returns a document. @throws NotFound */
export async function readDocument(context: DocumentReader, id: string) {
  const row = await readOne(context.db, HrmDocument, id, documentView(context));
  await signLinks(context.links)([row], 'url');
  return row;
}
