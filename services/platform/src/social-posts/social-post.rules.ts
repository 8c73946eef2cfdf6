/** The states of a post, and what a server counts of its text. */
import { fault, lifecycle } from '@suite/chassis';

export const postStates = lifecycle(
  'social_post',
  {
    queued: { publish: 'published', fail: 'failed' },
    published: {},
    // One that was under way when its account was disconnected may have been published.
    failed: { publish: 'published' },
  },
  {
    actions: {
      publish: { by: 'platform.publish-posts' },
      fail: { by: ['platform.publish-posts', 'socialAccount.disconnect'] },
    },
  },
);

export const BeingPublished = fault(409, 'being_published', 'This post is being published. Try again in a moment.', {
  retryable: true,
});
export const ServerFailed = fault(
  502,
  'provider_failed',
  'The social server rejected the request. Nothing was changed.',
);

const ADDRESS = /https?:\/\/[^\s<>"']+/g;
const segments = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The length of a text as servers count it: in characters as people see them, each address alike. */
export function lengthOf(text: string, characters_per_url: number): number {
  const addresses = text.match(ADDRESS)?.length ?? 0;
  return [...segments.segment(text.replaceAll(ADDRESS, ''))].length + addresses * characters_per_url;
}
