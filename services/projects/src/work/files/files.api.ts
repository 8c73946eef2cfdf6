/** Files of projects, tasks, bugs and comments. */
import { idOf } from '@suite/chassis/fields';
import { LinkExpired, sendLinked } from '@suite/chassis/files';
import { can, created, openByFileLink, removed, anyFile } from '@suite/chassis/operations';
import { fileLinkHolder } from '@suite/user-copies';
import { z } from 'zod';
import { projectFaults } from '../access/project.rules.ts';
import { inProjects } from '../../operations.ts';
import { addFile, removeFile } from './file.ts';
import { fileActions } from './file.rules.ts';
import { FileInput, ProjectFile } from './file.schema.ts';
import { fileAddress } from './file.view.ts';

const { query, command } = inProjects;

export const create = command('POST /api/project/file/create', {
  summary: 'Upload a project file',
  description:
    'Uploads one file in the form field `file`: an image, document or text file of at most 10 MiB. Attaches it to the project, or to a task, bug or comment.',
  access: can('project.view'),
  body: FileInput,
  upload: { field: 'file', kinds: 'documents' },
  reply: created(ProjectFile),
  faults: projectFaults,
  async handle({ body, files, links, ...context }) {
    const [uploaded] = files as [(typeof files)[number]];
    const file = await addFile(context, body, uploaded);
    // The uploader can delete the file.
    return { ...file, url: fileAddress(links, file), allowed_actions: fileActions.allowedTo(context.caller, file) };
  },
});

export const remove = command('DELETE /api/project/file/delete/{id}', {
  summary: 'Delete a project file',
  description: 'Deletes a file with its content. Requires its uploader or a project manager.',
  access: fileActions.can('delete'),
  params: { id: idOf('files') },
  reply: removed,
  faults: projectFaults,
  handle: ({ params, ...context }) => removeFile(context, params.id),
});

export const download = query('GET /api/project/file/download/{token}', {
  summary: 'Download a project file',
  description:
    'Returns the file that `url` of the file links to. The URL needs no token. It expires after one to three hours, or when the user who requested it loses access.',
  addition: 'Files are downloaded through short-lived links.',
  access: openByFileLink(fileLinkHolder, { modules: ['projects', 'lightproj'], permission: 'project.view' }),
  params: { token: z.string().max(2_000) },
  reply: anyFile,
  faults: [LinkExpired],
  handle: ({ db, ...given }) => sendLinked(given, (key) => db.file.findFirst({ where: { key } })),
});
