/** Posts that the workspace publishes as its social account. */
import { can, created, find, idOf, page, paginate, readOne, removed } from '@suite/chassis';
import { NotConnected } from '../integrations/integration.rules.ts';
import { inSocialPost } from '../operations.ts';
import { removePublished } from './post-removal.ts';
import { queuePost, redrawPictures, removePost } from './social-post.ts';
import { BeingPublished, ServerFailed } from './social-post.rules.ts';
import { pictures, PostFilter, PostInput, SocialPost } from './social-post.schema.ts';

const { query, command } = inSocialPost;
const view = { table: 'social_posts' };

export const list = query('GET /api/socialpost/posts', {
  summary: 'List social posts',
  access: can('integration.view'),
  query: PostFilter,
  reply: page(SocialPost),
  handle: ({ db, query }) => paginate(db, query, view),
});

export const create = command('POST /api/socialpost/post', {
  summary: 'Create a social post',
  description:
    'With up to four pictures as multipart/form-data, each with a text that stands for it; they are drawn anew. It is published a moment later, or when it is scheduled; what fails in passing is tried three times more.',
  access: can('integration.manage'),
  body: PostInput,
  upload: pictures,
  reply: created(SocialPost),
  faults: [NotConnected],
  prepare: ({ files, body, storage, caller }) =>
    redrawPictures(files, body, { storage, workspace_id: caller.workspace_id }),
  handle: async ({ db, keys, body, prepared: media }) =>
    readOne(db, SocialPost, await queuePost(db, keys, body, media), view),
});

export const remove = command('DELETE /api/socialpost/post/{id}', {
  summary: 'Delete a social post',
  description: 'One that waits is not published; one that was published is deleted at the server, too.',
  access: can('integration.manage'),
  params: { id: idOf('social_posts') },
  reply: removed,
  faults: [NotConnected, BeingPublished, ServerFailed],
  async prepare({ read, keys, params, caller, outgoing }) {
    const post = await read((db) => find(db.socialPost, params.id));
    if (post.status === 'published') await removePublished(post, { read, keys, caller, outgoing });
    return post.status;
  },
  handle: ({ db, params, prepared: before }) => removePost(db, params.id, before),
});
