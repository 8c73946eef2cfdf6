/** One's own account: everybody who is signed in has one and may see and change it. */
import {
  invalid,
  LinkExpired,
  ok,
  open,
  openByFileLink,
  removed,
  sendLinked,
  sendPublic,
  signedIn,
  stream,
} from '@suite/chassis';
import { z } from 'zod';
import { hashPassword, knownOrigin } from '../passwords/password.ts';
import { assertNotOwn } from '../passwords/weak-password.rules.ts';
import { revokeKeys } from '../keys/api-key.ts';
import { queueLetter } from '../mail/letter.ts';
import { command, query } from '../operations.ts';
import { forgetDevices } from '../sessions/device.ts';
import { endSessions, SessionRequired } from '../sessions/session.ts';
import { AccountRemoval, PasswordChange, ProfileChange } from './account.schema.ts';
import { fileLinkHolder } from '../accounts/link-holder.ts';
import { cancelLinks, requestOwnEmail } from '../accounts/email.ts';
import { eraseUser } from './erasure.ts';
import { profile } from '../accounts/me.view.ts';
import { Me } from '../accounts/me.schema.ts';
import { provePassword, refusal } from '../sessions/own-password.ts';
import { discardPhotos, redraw } from '../accounts/photo.ts';
import { avatarAt } from '../pictures/picture.ts';
import { findUser, patchUser } from '../accounts/user.ts';
import { LastOwner } from '../accounts/user.rules.ts';
import { recordAccountEvent } from '../accounts/user-log.ts';

export const show = query('GET /api/user', {
  summary: 'Get your account',
  description: 'With the permissions and modules of this session or API key, and the workspace.',
  access: signedIn,
  reply: ok(Me),
  async handle({ db, caller, links }) {
    const { permissions, record_scopes, modules } = caller;
    return {
      ...(await profile(db, caller.user_id, links)),
      permissions: [...permissions],
      record_scopes,
      modules: [...modules],
    };
  },
});

export const changePassword = command('POST /api/change-password', {
  summary: 'Update your password',
  description: 'Your other sessions end; this one goes on. Your API keys are revoked when that is asked for.',
  access: signedIn,
  body: PasswordChange,
  reply: ok(Me),
  faults: [SessionRequired],
  async prepare({ body, caller, read }) {
    if (body.password === body.current_password)
      throw invalid('password', 'This is your current password. Choose another one.');
    const proof = await provePassword(read, caller, body.current_password);
    assertNotOwn(body.password, proof);
    return { proof, hash: proof.right ? await hashPassword(body.password, knownOrigin(`user ${caller.user_id}`)) : '' };
  },
  async handle({ db, body, caller, prepared, request, emit, links }) {
    const { user_id } = caller;
    const refused = await refusal(db, caller, prepared.proof, 'current_password', request);
    if (refused) return refused;
    await db.password.updateMany({ where: { id: user_id }, data: { hash: prepared.hash } });
    await forgetDevices(db, user_id);
    await endSessions(db, emit, 'password_changed', { user_id, id: { not: caller.session_id! } });
    if (body.revoke_api_keys) await revokeKeys(db, emit, { user_id }, request);
    await cancelLinks(db, user_id);
    await recordAccountEvent(db, 'password_change', user_id, request);
    await queueLetter(db, 'password_changed', user_id, prepared.proof.email);
    return await profile(db, user_id, links);
  },
});

export const editProfile = command('POST /api/edit-profile', {
  summary: 'Update your profile',
  description:
    'A new e-mail address takes your password, and counts once you have followed the link that is sent to it.',
  access: signedIn,
  body: ProfileChange,
  reply: ok(Me),
  faults: [SessionRequired],
  async prepare({ body, caller, read }) {
    return body.email === undefined ? undefined : await provePassword(read, caller, body.current_password!);
  },
  async handle({ db, body, caller, prepared: proof, expect, request, emit, links }) {
    const refused = proof && (await refusal(db, caller, proof, 'current_password', request));
    if (refused) return refused;
    const { version: _, current_password: __, email, ...patch } = body;
    const user = await findUser(db, caller.user_id);
    const changes = { ...patch, ...(email && (await requestOwnEmail(db, user, email))) };
    await patchUser(db, emit, user, changes, expect);
    return await profile(db, user.id, links);
  },
});

export const uploadPhotos = command('POST /api/upload-photos', {
  summary: 'Upload your photo',
  description:
    'PNG, JPEG, GIF or WebP, up to 5 MiB. It is cut to a square and drawn anew, in two sizes; the former photo goes.',
  access: signedIn,
  upload: { field: 'photo', kinds: 'images', max_bytes: 5 * 1024 * 1024 },
  reply: ok(Me),
  prepare: ({ files, storage, caller }) => redraw(files, storage, caller.workspace_id),
  async handle({ db, caller, prepared: photos, emit, links }) {
    const user = await findUser(db, caller.user_id);
    await discardPhotos(db, user);
    await patchUser(db, emit, user, photos);
    return await profile(db, caller.user_id, links);
  },
});

export const photo = query('GET /api/user-photo/{token}', {
  summary: 'Download a user photo',
  description:
    'An addition: where the links in `photo_url` and `photo_thumbnail_url` lead. They open for an hour, without signing in.',
  access: openByFileLink(fileLinkHolder),
  params: { token: z.string().max(1_000) },
  reply: stream,
  faults: [LinkExpired],
  handle: ({ db, ...given }) =>
    sendLinked(given, (key) => db.user.findFirst({ where: { OR: [{ photo: key }, { photo_thumbnail: key }] } })),
});

export const avatar = query('GET /api/avatar/{token}', {
  summary: 'Download an avatar',
  description:
    'An addition: where `avatar_url` leads beside people in projects. Whoever has the address may fetch it, without signing in, ' +
    'and keep it for a day; a new photo has a new one.',
  access: open,
  params: { token: z.string().max(100) },
  reply: stream,
  handle: ({ db, params, ...given }) =>
    sendPublic(given, avatarAt(params.token), (key) => db.user.findFirst({ where: { photo_thumbnail: key } })),
});

export const remove = command('DELETE /api/delete-account', {
  summary: 'Delete your account',
  description: 'Takes your password. Your personal data is erased; your records stay, by a "Former user".',
  access: signedIn,
  body: AccountRemoval,
  reply: removed,
  faults: [SessionRequired, LastOwner],
  prepare: ({ body, caller, read }) => provePassword(read, caller, body.password),
  async handle({ db, caller, prepared: proof, request, emit }) {
    const refused = await refusal(db, caller, proof, 'password', request);
    if (refused) return refused;
    await eraseUser(db, emit, await findUser(db, caller.user_id));
    return { id: caller.user_id };
  },
});
