/** Creates and updates company documents. */
import { change, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { StoredFile } from '@suite/chassis/files';
import { writeParts } from '../../organisation/audiences/audience.ts';
import { assertNoticeOpen, assertNoticeSpan, documentStates } from '../notices/notice.rules.ts';
import { changeAudience, lockNotice, type NoticeContext, prepareAudience } from '../notices/notice.ts';
import { dayChanges } from '../notices/notice.view.ts';
import type { HrmDocumentChanges, HrmDocumentInput } from './document.schema.ts';
import { type DocumentReader, readDocument } from './document.view.ts';

type DocumentContext = NoticeContext & Pick<DocumentReader, 'links'> & { files: StoredFile[] };

const columnsOf = ({ key, name, size, mime }: StoredFile) => ({ key, name, size, mime });

async function assertType(context: DocumentContext, type_id: string | undefined): Promise<void> {
  if (!type_id) return;
  const [found] = await context.db.rows(sql`SELECT id FROM document_types WHERE id = ${type_id}::uuid FOR KEY SHARE`);
  if (!found) throw invalid('type_id', 'Document type not found.');
}

/** Creates a draft. @throws a 422 fault if the days are in the wrong order, or the type or audience is invalid */
export async function createDocument(context: DocumentContext, { audience, start, end, ...input }: HrmDocumentInput) {
  const { db, files } = context;
  assertNoticeSpan({ start, end });
  await assertType(context, input.type_id);
  const ids = await prepareAudience(context, audience);
  const days = dayChanges({ start, end });
  const { id } = await db.hrmDocument.create({
    data: { ...input, ...days, ...columnsOf(files[0]!), audience: ids } as never,
  });
  if (audience) await writeParts(db, 'document', id, audience);
  return await readDocument(context, id);
}

/**
 * Updates a document. Once shown to employees, only its end and audience can change. @throws AlreadyPublished, Stale
 */
export async function changeDocument(
  context: DocumentContext,
  id: string,
  { version: _, audience, start, end, ...patch }: HrmDocumentChanges,
  expect: number | undefined,
) {
  const { db, caller, files } = context;
  const before = await lockNotice(context, 'document', id, expect);
  const [file] = files;
  const given = Object.entries({ ...patch, start, end, audience, file }).filter(([, value]) => value !== undefined);
  assertNoticeOpen(
    documentStates,
    before,
    caller,
    given.map(([name]) => name),
  );
  assertNoticeSpan({ start: start === undefined ? before.start : start, end: end === undefined ? before.end : end });
  await assertType(context, patch.type_id);
  await changeAudience(context, 'document', before, audience);
  await change(db.hrmDocument, id, { ...patch, ...dayChanges({ start, end }), ...(file && columnsOf(file)) });
  return await readDocument(context, id);
}
