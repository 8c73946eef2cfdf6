/** Files of tickets, replies and notes, available through short-lived links. */
import { LinkExpired, sendLinked } from '@suite/chassis/files';
import { openByFileLink, anyFile } from '@suite/chassis/operations';
import { fileLinkHolder } from '@suite/user-copies';
import { z } from 'zod';
import { query } from '../../operations.ts';

export const download = query('GET /api/support-ticket/file/{token}', {
  summary: 'Download a ticket file',
  description:
    'Returns the file that `url` of the file links to. The URL needs no token. It expires after one to three hours, or when the user who requested it loses access.',
  addition: 'Ticket files are downloaded by short-lived links.',
  access: openByFileLink(fileLinkHolder, { permission: 'ticket.view' }),
  params: { token: z.string().max(2_000) },
  reply: anyFile,
  faults: [LinkExpired],
  handle: ({ db, ...context }) =>
    sendLinked(
      context,
      async (key) => (await db.file.findFirst({ where: { key } })) ?? (await db.noteFile.findFirst({ where: { key } })),
    ),
});
