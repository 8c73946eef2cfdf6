/** Posts of the workspace on its social account. */
import { find } from '@suite/chassis/database';
import { idOf } from '@suite/chassis/fields';
import { paginate, readOne } from '@suite/chassis/lists';
import { can, created, page, removed } from '@suite/chassis/operations';
import { NotConnected } from '../../connections/integrations/integration.rules.ts';
import { inSocialPost } from '../../operations.ts';
import { removePublished } from './post-removal.ts';
import { queuePost, resizeImages, removePost } from './social-post.ts';
import { PublicationInProgress, ServerFailed, socialPostActions } from './social-post.rules.ts';
import { images, PostFilter, PostInput, SocialPost } from './social-post.schema.ts';

const ADDITION = 'A social account is only useful if users can post with it and view its posts.';

const { query, command } = inSocialPost;
const view = { table: 'social_posts' };

export const list = query('GET /api/socialpost/posts', {
  summary: 'List social posts',
  description: 'Returns posts with their status, images and URL on the server. Includes scheduled and failed posts.',
  addition: ADDITION,
  access: can('integration.view'),
  query: PostFilter,
  reply: page(SocialPost),
  handle: ({ db, query }) => paginate(db, query, view),
});

export const create = command('POST /api/socialpost/post', {
  summary: 'Create a social post',
  description:
    'Queues a post, or schedules it for later. Accepts up to four images as `multipart/form-data`, each with an alternative text. A temporary failure is retried three times. Returns `not_connected` without an account.',
  addition: ADDITION,
  access: can('integration.manage'),
  body: PostInput,
  upload: images,
  reply: created(SocialPost),
  faults: [NotConnected],
  prepare: ({ files, body, storage, caller }) =>
    resizeImages(files, body, { storage, workspace_id: caller.workspace_id }),
  handle: async ({ db, keys, body, prepared: media }) =>
    readOne(db, SocialPost, await queuePost(db, keys, body, media), view),
});

export const remove = command('DELETE /api/socialpost/post/{id}', {
  summary: 'Delete a social post',
  description:
    'Deletes a post. A queued or scheduled post is not published. A published post is also deleted on the server. Returns `being_published` while it is being sent.',
  addition: ADDITION,
  access: socialPostActions.can('delete'),
  params: { id: idOf('social_posts') },
  reply: removed,
  faults: [NotConnected, PublicationInProgress, ServerFailed],
  async prepare({ read, keys, params, caller, outgoing }) {
    const post = await read((db) => find(db.socialPost, params.id));
    if (post.status === 'published') await removePublished(post, { read, keys, caller, outgoing });
    return post.status;
  },
  handle: ({ db, params, prepared: before }) => removePost(db, params.id, before),
});
