/** Files of projects: documents of a project, of its tasks and bugs, and of comments. */
import { can, created, idOf, LinkExpired, openByFileLink, removed, sendLinked, stream } from '@suite/chassis';
import { fileLinkHolder } from '@suite/users';
import { z } from 'zod';
import { projectFaults } from '../access/project.rules.ts';
import { inProjects } from '../operations.ts';
import { addFile, removeFile } from './file.ts';
import { FileInput, ProjectFile } from './file.schema.ts';
import { fileAddress } from './file.view.ts';

const { query, command } = inProjects;

export const create = command('POST /api/project/file/create', {
  summary: 'Upload a project file',
  description:
    'A form with one file in the field `file`: a picture, a document, a text; 10 MiB at most. It may belong to a task, a bug or a comment.',
  access: can('project.view'),
  body: FileInput,
  upload: { field: 'file', kinds: 'documents' },
  reply: created(ProjectFile),
  faults: projectFaults,
  async handle({ body, files, links, ...work }) {
    const [uploaded] = files as [(typeof files)[number]];
    const file = await addFile(work, body, uploaded);
    return { ...file, url: fileAddress(links, file) };
  },
});

export const remove = command('DELETE /api/project/file/delete/{id}', {
  summary: 'Delete a project file',
  description: 'By its uploader, or by a manager of the project.',
  access: can('project.view'),
  params: { id: idOf('files') },
  reply: removed,
  faults: projectFaults,
  handle: ({ params, ...work }) => removeFile(work, params.id),
});

export const download = query('GET /api/project/file/download/{token}', {
  summary: 'Download a project file',
  description:
    'Returns the file behind the `url` of the file. The link needs no bearer token. It expires after one to three hours, or when the user whom it was made for loses access to the record.',
  access: openByFileLink(fileLinkHolder, { modules: ['projects', 'lightproj'], permission: 'project.view' }),
  params: { token: z.string().max(2_000) },
  reply: stream,
  faults: [LinkExpired],
  handle: ({ db, ...given }) => sendLinked(given, (key) => db.file.findFirst({ where: { key } })),
});
