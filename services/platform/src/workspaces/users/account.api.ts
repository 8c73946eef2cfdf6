/** Your own user account. */
import { invalid } from '@suite/chassis/faults';
import { LinkExpired, sendLinked, sendPublic } from '@suite/chassis/files';
import { ok, open, openByFileLink, removed, anyUser, fileOf } from '@suite/chassis/operations';
import { z } from 'zod';
import { hashPassword, knownOrigin } from '../../identity/passwords/password.ts';
import { assertNotOwn } from '../../identity/passwords/weak-password.rules.ts';
import { revokeKeys } from '../../identity/keys/api-key.ts';
import { queueMail } from '../../identity/mail/mail-templates.ts';
import { command, query } from '../../operations.ts';
import { deleteDevices } from '../../identity/sessions/device.ts';
import { endSessions, sessionsOnly, SessionRequired } from '../../identity/sessions/session.ts';
import { AccountRemoval, PasswordChange, ProfileChange } from './account.schema.ts';
import { fileLinkHolder } from '../../identity/accounts/link-holder.ts';
import { cancelLinks, requestOwnEmail, TooManyEmailChanges } from '../../identity/accounts/email.ts';
import { eraseUser } from './erasure.ts';
import { readProfile } from '../../identity/accounts/me.view.ts';
import { Me } from '../../identity/accounts/me.schema.ts';
import { checkOwnPassword, passwordFault } from '../../identity/sessions/own-password.ts';
import { discardPhotos, resizePhoto } from '../../identity/accounts/photo.ts';
import { avatarOf } from '../../identity/accounts/picture.ts';
import { findUser, patchUser } from '../../identity/accounts/user.ts';
import { LastOwner } from '../../identity/accounts/user.rules.ts';
import { recordAccountEvent } from '../../identity/accounts/user-log.ts';

export const show = query('GET /api/user', {
  summary: 'Get your account',
  description: 'Returns your profile, the workspace, and the permissions and modules of this session or API key.',
  access: anyUser,
  reply: ok(Me),
  async handle({ db, caller, links }) {
    const { permissions, record_scopes, modules } = caller;
    return {
      ...(await readProfile(db, caller.user_id, links)),
      permissions: [...permissions],
      record_scopes,
      modules: [...modules],
    };
  },
});

export const changePassword = command('POST /api/change-password', {
  summary: 'Update your password',
  description:
    'Replaces your password and ends your other sessions. This session stays signed in. Revokes your API keys on request. Rejects your current password and passwords that contain your name or e-mail address.',
  access: sessionsOnly,
  body: PasswordChange,
  reply: ok(Me),
  faults: [SessionRequired],
  async prepare({ body, caller, read }) {
    if (body.password === body.current_password)
      throw invalid('password', 'This is your current password. Choose another one.');
    const proof = await checkOwnPassword(read, caller, body.current_password);
    assertNotOwn(body.password, proof);
    return { proof, hash: proof.right ? await hashPassword(body.password, knownOrigin(`user ${caller.user_id}`)) : '' };
  },
  async handle({ db, body, caller, prepared, request, emit, links }) {
    const { user_id } = caller;
    const fault = await passwordFault(db, caller, prepared.proof, 'current_password', request);
    if (fault) return fault;
    await db.password.updateMany({ where: { id: user_id }, data: { hash: prepared.hash } });
    await deleteDevices(db, user_id);
    await endSessions(db, emit, 'password_changed', { user_id, id: { not: caller.session_id! } });
    if (body.revoke_api_keys) await revokeKeys(db, emit, { user_id }, request);
    await cancelLinks(db, user_id);
    await recordAccountEvent(db, 'password_change', user_id, request);
    await queueMail(db, 'password_changed', user_id, prepared.proof.email);
    return await readProfile(db, user_id, links);
  },
});

export const editProfile = command('POST /api/edit-profile', {
  summary: 'Update your profile',
  description:
    'Updates your name and contact details. A new e-mail address requires your password. You keep the previous address until you open the link sent to the new one. A new address can be requested five times a day.',
  access: anyUser,
  body: ProfileChange,
  reply: ok(Me),
  faults: [SessionRequired, TooManyEmailChanges],
  async prepare({ body, caller, read }) {
    return body.email === undefined ? undefined : await checkOwnPassword(read, caller, body.current_password!);
  },
  async handle({ db, body, caller, prepared: proof, expect, request, emit, links }) {
    const fault = proof && (await passwordFault(db, caller, proof, 'current_password', request));
    if (fault) return fault;
    const { version: _, current_password: __, email, ...patch } = body;
    const user = await findUser(db, caller.user_id);
    const changes = { ...patch, ...(email && (await requestOwnEmail(db, user, email))) };
    await patchUser(db, emit, user, changes, expect);
    return await readProfile(db, user.id, links);
  },
});

export const uploadPhotos = command('POST /api/upload-photos', {
  summary: 'Upload your photo',
  description:
    'Replaces your photo. Accepts PNG, JPEG, GIF or WebP up to 5 MiB. Crops the image to a square, stores it in two sizes and deletes the previous photo.',
  access: anyUser,
  upload: { field: 'photo', kinds: 'images', max_bytes: 5 * 1024 * 1024 },
  reply: ok(Me),
  prepare: ({ files, storage, caller }) => resizePhoto(files, storage, caller.workspace_id),
  async handle({ db, caller, prepared: photos, emit, links }) {
    const user = await findUser(db, caller.user_id);
    await discardPhotos(db, user);
    await patchUser(db, emit, user, photos);
    return await readProfile(db, caller.user_id, links);
  },
});

export const photo = query('GET /api/user-photo/{token}', {
  summary: 'Download a user photo',
  description:
    'Returns the image of a `photo_url` or `photo_thumbnail_url`. The link needs no token and expires after one to three hours with `link_expired`.',
  addition: 'Target of signed photo links: files are served by short-lived links that need no token.',
  access: openByFileLink(fileLinkHolder),
  params: { token: z.string().max(1_000) },
  reply: fileOf('image/*'),
  faults: [LinkExpired],
  handle: ({ db, ...context }) =>
    sendLinked(context, (key) => db.user.findFirst({ where: { OR: [{ photo: key }, { photo_thumbnail: key }] } })),
});

export const avatar = query('GET /api/avatar/{token}', {
  summary: 'Download an avatar',
  description:
    'Returns the image of an `avatar_url`, such as the photos of project members. The link needs no token. Browsers may cache the image for a day. A new photo has a new URL.',
  addition:
    'Cards, members and comments show avatars, which browsers can cache, while photo links change every second.',
  access: open,
  params: { token: z.string().max(100) },
  reply: fileOf('image/*'),
  handle: ({ db, params, ...context }) =>
    sendPublic(context, avatarOf(params.token), (key) => db.user.findFirst({ where: { photo_thumbnail: key } })),
});

export const remove = command('DELETE /api/delete-account', {
  summary: 'Delete your account',
  description:
    'Deletes your account and erases your personal data. Requires your password. Your records remain and show "Former user" as their author. Returns `last_owner` if no other owner remains.',
  access: sessionsOnly,
  body: AccountRemoval,
  reply: removed,
  faults: [SessionRequired, LastOwner],
  prepare: ({ body, caller, read }) => checkOwnPassword(read, caller, body.password),
  async handle({ db, caller, prepared: proof, request, emit }) {
    const fault = await passwordFault(db, caller, proof, 'password', request);
    if (fault) return fault;
    await eraseUser(db, emit, await findUser(db, caller.user_id));
    return { id: caller.user_id };
  },
});
