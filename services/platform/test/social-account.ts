/** Test fixture: a social server, and an owner who connects and posts. */
import { beforeEach } from '@jest/globals';
import type { ServiceUnderTest } from '@suite/testing';
import { publishPosts } from '../src/integrations/social-posts/post-delivery.ts';
import { socialServer } from './social-server.ts';
import { openWorkspace, type SignedIn, type TestWorkspace } from './workspace.ts';

/** Token that the server accepts. */
export const TOKEN = 'canary-token-of-a-program';

/** Starts a social server, and creates a workspace before each test. */
export async function socialAccount(platform: ServiceUnderTest) {
  const social = await socialServer();
  const state = {} as { acme: TestWorkspace; owner: SignedIn };
  beforeEach(async () => {
    social.requests.length = 0;
    social.queued_responses.length = 0;
    social.statuses.clear();
    social.media.clear();
    social.tokens.clear();
    social.tokens.add(TOKEN);
    await platform.sql`DELETE FROM social_posts`;
    const acme = await openWorkspace(platform);
    Object.assign(state, { acme, owner: await acme.as('owner') });
  });
  const connect = (body: object = {}, by = state.owner) =>
    by.post('/api/socialpost/connect', { server_url: social.url, ...body });
  return {
    social,
    state,
    connect,
    withToken: () => connect({ access_token: TOKEN }),
    show: async (by = state.owner) => (await by.get('/api/socialpost')).body.data,
    post: (changes: object = {}, by = state.owner) =>
      by.post('/api/socialpost/post', { text: 'We are open.', ...changes }),
    posts: async () => (await state.owner.get('/api/socialpost/posts')).body.data,
    publish: () => publishPosts.work(platform.tools as never),
    remove: (id: string) => state.owner.delete(`/api/socialpost/post/${id}`),
  };
}
