/** The workspace: the company that all of this is about. What is said of it here stands on every letter that it prints. */
import { can, change, LinkExpired, ok, openByFileLink, sendLinked, signedIn, stream } from '@suite/chassis';
import { z } from 'zod';
import { command, query } from '../operations.ts';
import { fileLinkHolder } from '../accounts/link-holder.ts';
import { hasSecondFactor, NoSecondFactor } from '../second-factor/second-factor.ts';
import { redrawLogo, replaceLogo, showWorkspace } from './letterhead.ts';
import { assertLinks, OwnerLinks } from './email-link.ts';
import { Workspace, WorkspaceChanges } from './workspace.schema.ts';

export const show = query('GET /api/workspace', {
  summary: 'Get the workspace',
  access: signedIn,
  reply: ok(Workspace),
  handle: ({ db, caller, links }) => showWorkspace(db, caller.workspace_id, links),
});

export const update = command('PUT /api/workspace/update', {
  summary: 'Update the workspace',
  description:
    'Its name, what else its letters show, and whether everybody needs a second factor. Its currency and zone stay: the books are kept in them.',
  access: can('workspace.update'),
  body: WorkspaceChanges,
  reply: ok(Workspace),
  faults: [NoSecondFactor, OwnerLinks],
  async handle({ db, caller, body, expect, links }) {
    const { version: _, ...patch } = body;
    // The caller must have a second factor: otherwise nobody in the workspace might be able to sign in any more.
    if (patch.second_factor_required && !(await hasSecondFactor(db, caller.user_id))) throw NoSecondFactor();
    if (patch.links) await assertLinks(db, caller, patch.links);
    await change(db.workspace, caller.workspace_id, patch, expect);
    return await showWorkspace(db, caller.workspace_id, links);
  },
});

export const uploadLogo = command('POST /api/workspace/logo', {
  summary: 'Upload the logo of the workspace',
  description:
    'PNG, JPEG, GIF or WebP, up to 5 MiB, for the head of letters. It is drawn anew, 600 × 240 points at most; the former logo goes.',
  access: can('workspace.update'),
  upload: { field: 'logo', kinds: 'images', max_bytes: 5 * 1024 * 1024 },
  reply: ok(Workspace),
  prepare: ({ files, storage, caller }) => redrawLogo(files, storage, caller.workspace_id),
  async handle({ db, caller, prepared: logo, links }) {
    await replaceLogo(db, caller.workspace_id, logo);
    return await showWorkspace(db, caller.workspace_id, links);
  },
});

export const removeLogo = command('DELETE /api/workspace/logo', {
  summary: 'Delete the logo of the workspace',
  description: 'Letters then begin with the name.',
  access: can('workspace.update'),
  reply: ok(Workspace),
  async handle({ db, caller, links }) {
    await replaceLogo(db, caller.workspace_id, null);
    return await showWorkspace(db, caller.workspace_id, links);
  },
});

export const logo = query('GET /api/workspace-logo/{token}', {
  summary: 'Download the logo of a workspace',
  description: 'The file behind the link in `logo_url`. The link works for an hour, without signing in.',
  access: openByFileLink(fileLinkHolder),
  params: { token: z.string().max(1_000) },
  reply: stream,
  faults: [LinkExpired],
  handle: ({ db, ...given }) => sendLinked(given, (key) => db.workspace.findFirst({ where: { logo: key } })),
});
