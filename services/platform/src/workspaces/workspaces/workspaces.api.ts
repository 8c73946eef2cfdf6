/** The workspace: one customer of the suite and its data. Its details appear on every PDF. */
import { LinkExpired, sendLinked } from '@suite/chassis/files';
import { can, ok, openByFileLink, anyUser, fileOf } from '@suite/chassis/operations';
import { z } from 'zod';
import { command, query } from '../../operations.ts';
import { fileLinkHolder } from '../../identity/accounts/link-holder.ts';
import { NoSecondFactor } from '../../identity/second-factor/second-factor.ts';
import { resizeLogo, replaceLogo, showWorkspace } from './letterhead.ts';
import { OwnerRequiredForLinks } from './email-link.ts';
import { Workspace, WorkspaceChanges } from './workspace.schema.ts';
import { workspaceActions } from './workspace.rules.ts';
import { changeBooks, CurrencyInUse, FiscalYearLocked, updateWorkspace } from './workspace-settings.ts';

const ADDITION = 'Invoices and quotes are printed with the name, address, tax number and logo of the workspace.';

export const show = query('GET /api/workspace', {
  summary: 'Get the workspace',
  description:
    'Returns the workspace with its name, currency, time zone, PDF header details and a link to the logo. `logo_url` expires after one to three hours.',
  addition: ADDITION,
  access: anyUser,
  reply: ok(Workspace),
  handle: ({ db, caller, links }) => showWorkspace(db, caller.workspace_id, links),
});

export const update = command('PUT /api/workspace/update', {
  summary: 'Update the workspace',
  description:
    'Updates the name, the settings, the details on PDFs, the links, and whether all users need a second factor. Settings apply to new records and to reports. Existing records keep their currency and time zone. Returns `currency_in_use` if documents or postings exist, and `fiscal_year_locked` if the fiscal year would begin within a locked period. Returns `no_second_factor` if you require one without having one. Only owners may change links with tokens.',
  addition: ADDITION,
  access: workspaceActions.can('update'),
  body: WorkspaceChanges,
  reply: ok(Workspace),
  faults: [NoSecondFactor, OwnerRequiredForLinks, CurrencyInUse, FiscalYearLocked],
  prepare: changeBooks,
  async handle({ body, expect, prepared: books, links, ...context }) {
    await updateWorkspace(context, body, { expect, books });
    return await showWorkspace(context.db, context.caller.workspace_id, links);
  },
});

export const uploadLogo = command('POST /api/workspace/logo', {
  summary: 'Upload the logo of the workspace',
  description:
    'Replaces the logo on PDFs. Accepts PNG, JPEG, GIF or WebP up to 5 MiB. Scales the image to at most 600 × 240 points and deletes the previous logo.',
  addition: ADDITION,
  access: can('workspace.update'),
  upload: { field: 'logo', kinds: 'images', max_bytes: 5 * 1024 * 1024 },
  reply: ok(Workspace),
  prepare: ({ files, storage, caller }) => resizeLogo(files, storage, caller.workspace_id),
  async handle({ db, caller, prepared: logo, links }) {
    await replaceLogo(db, caller.workspace_id, logo);
    return await showWorkspace(db, caller.workspace_id, links);
  },
});

export const removeLogo = command('DELETE /api/workspace/logo', {
  summary: 'Delete the logo of the workspace',
  description: 'Deletes the logo. New PDFs show the name of the workspace instead.',
  addition: ADDITION,
  access: can('workspace.update'),
  reply: ok(Workspace),
  async handle({ db, caller, links }) {
    await replaceLogo(db, caller.workspace_id, null);
    return await showWorkspace(db, caller.workspace_id, links);
  },
});

export const logo = query('GET /api/workspace-logo/{token}', {
  summary: 'Download the logo of a workspace',
  description:
    'Returns the image of `logo_url`. The link needs no token and expires after one to three hours with `link_expired`.',
  addition: 'Target of signed file links: a link needs no token and expires after 15 minutes.',
  access: openByFileLink(fileLinkHolder),
  params: { token: z.string().max(1_000) },
  reply: fileOf('image/*'),
  faults: [LinkExpired],
  handle: ({ db, ...context }) => sendLinked(context, (key) => db.workspace.findFirst({ where: { logo: key } })),
});
