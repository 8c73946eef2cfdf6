/** Files of leads and deals. Their content is checked, and downloads use short-lived links. */
import { find, remove } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import { idOf } from '@suite/chassis/fields';
import { type FileLinks, LinkExpired, sendLinked } from '@suite/chassis/files';
import { can, created, openByFileLink, removed, anyFile } from '@suite/chassis/operations';
import { fileLinkHolder } from '@suite/user-copies';
import { z } from 'zod';
import { type Board, faultsOf, type RecordKind } from '../../pipeline/board/board.ts';
import { command, query } from '../../operations.ts';
import { recordIdIn, lockRecord, recordInPath, recordActivity } from '../../pipeline/board/record.ts';
import { timelineSubjectOf } from '../../pipeline/board/timeline.ts';
import { fileActionsOf } from './file.rules.ts';
import { File } from './file.schema.ts';

/** Columns of `files` that a link needs. */
export interface StoredObject {
  key: string;
  name: string;
  mime: string;
}

/** Returns a temporary link to a stored file, usable without a token. */
export const fileUrl = (links: FileLinks, kind: RecordKind, { key, name, mime }: StoredObject): string =>
  links.url(`/api/${kind}-file/download`, { key, name, mime });

/** Creates the file operations of one kind of record. */
export function fileOperations(
  board: Board,
  routes: {
    create: `POST /api/${RecordKind}-file/store/{${RecordKind}_id}`;
    remove: `DELETE /api/${RecordKind}-file/{${RecordKind}_id}/delete/{file_id}`;
    download: `GET /api/${RecordKind}-file/download/{token}`;
  },
) {
  const { kind } = board;
  const access = can(`${kind}.update`);
  const faults = faultsOf(board);
  return {
    create: command(routes.create as `POST /api/${string}/{lead_id}`, {
      summary: `Upload a ${kind} file`,
      description:
        'Uploads one file in the form field `file`: an image, document or text file of at most 10 MiB. Returns a download link.',
      access,
      params: recordInPath(board),
      upload: { field: 'file', kinds: 'documents' },
      reply: created(File),
      faults,
      async handle({ params, files, links, ...context }) {
        const { id } = await lockRecord(context, board, recordIdIn(board, params));
        const [{ key, name, size, mime }] = files as [(typeof files)[number]];
        const file = await context.db.file.create({ data: { ...timelineSubjectOf(kind, id), key, name, size, mime } });
        await recordActivity(context, board, { id }, 'file_added', { file_id: file.id, name });
        const allowed_actions = fileActionsOf[kind].allowedTo(context.caller, file);
        return { ...file, url: fileUrl(links, kind, file), allowed_actions };
      },
    }),
    remove: command(routes.remove as `DELETE /api/${string}/{lead_id}/delete/{file_id}`, {
      summary: `Delete a ${kind} file`,
      description: 'Deletes the file and its content. The timeline records the deletion.',
      access,
      params: { ...recordInPath(board), file_id: idOf('files') },
      reply: removed,
      faults,
      async handle({ params, ...context }) {
        const { id } = await lockRecord(context, board, recordIdIn(board, params));
        const file = await find(context.db.file, params.file_id);
        if (file[`${kind}_id`] !== id) throw NotFound();
        await recordActivity(context, board, { id }, 'file_removed', { name: file.name });
        return await remove(context.db.file, file.id);
      },
    }),
    download: query(routes.download, {
      summary: `Download a ${kind} file`,
      description:
        'Returns the file that `url` of the file links to. The URL needs no token. It expires after one to three hours, or when the user who requested it loses access.',
      addition: 'A file link needs no token and expires, so it is a path of its own.',
      access: openByFileLink(fileLinkHolder, { permission: `${kind}.view` }),
      params: { token: z.string().max(2_000) },
      reply: anyFile,
      faults: [LinkExpired],
      handle: ({ db, ...given }) =>
        sendLinked(given, (key) => db.file.findFirst({ where: { key, [`${kind}_id`]: { not: null } } })),
    }),
  };
}
