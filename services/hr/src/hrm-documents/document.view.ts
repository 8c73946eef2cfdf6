/** Documents of the company as lists and answers show them, with links that open their files for a while. */
import { type Caller, type Expansion, type FileLinks, type ListRequest, type Page, readOne, sql } from '@suite/chassis';
import { ownAcknowledgment } from '../acknowledgments/acknowledgment.view.ts';
import { documentStates } from '../notices/notice.rules.ts';
import { listNotices, noticeView } from '../notices/notice.view.ts';
import type { Db } from '../operations.ts';
import { HrmDocument } from './document.schema.ts';

/** A reader of documents. */
export interface Reader {
  db: Db;
  caller: Caller;
  links: FileLinks;
}

/** Makes the links of a page: its rows carry the keys of their files until then. */
const signed =
  (links: FileLinks): Expansion =>
  (rows) => {
    for (const row of rows) {
      const { url: key, name, mime } = row as { url: string; name: string; mime: string };
      row['url'] = links.url('/api/hrm-document/download', { key, name, mime });
    }
    return Promise.resolve();
  };

function viewFor({ caller }: Reader) {
  const { table, compute } = noticeView('document', documentStates, caller);
  const own = ownAcknowledgment('document', caller);
  return { table, compute: { ...compute, acknowledgment: own, url: sql`hrm_documents.key` } };
}

/** One page of the documents that the caller sees. */
export async function listDocuments(reader: Reader, asked: ListRequest): Promise<Page> {
  const page = await listNotices(reader, 'document', asked, viewFor(reader));
  await signed(reader.links)(page.rows as Record<string, unknown>[], 'url');
  return page;
}

/** A document. @throws NotFound */
export async function readDocument(reader: Reader, id: string) {
  const row = await readOne(reader.db, HrmDocument, id, viewFor(reader));
  await signed(reader.links)([row], 'url');
  return row;
}
