/** Statuses of a post, and the character count of servers. */
import { fault } from '@suite/chassis/faults';
import { lifecycle, recordActions } from '@suite/chassis/operations';

export const postStates = lifecycle(
  'social_post',
  {
    queued: { publish: 'published', fail: 'failed' },
    published: {},
    // A post in progress during the account's disconnection may have been published.
    failed: { publish: 'published' },
  },
  {
    actions: {
      publish: { by: 'platform.publish-posts' },
      fail: { by: ['platform.publish-posts', 'socialAccount.disconnect'] },
    },
  },
);

export const PublicationInProgress = fault(
  409,
  'being_published',
  'This post is being published. Try again in a moment.',
  {
    retryable: true,
  },
);
export const ServerFailed = fault(
  502,
  'provider_failed',
  'The social server rejected the request. Nothing was changed. Try again.',
);

const ADDRESS = /https?:\/\/[^\s<>"']+/g;
const segments = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the length of a text as servers count it: in visible characters, with a fixed length for each URL. */
export function postLength(text: string, characters_per_url: number): number {
  const addresses = text.match(ADDRESS)?.length ?? 0;
  return [...segments.segment(text.replaceAll(ADDRESS, ''))].length + addresses * characters_per_url;
}

/** Actions on social posts. */
export const socialPostActions = recordActions('social_post', { delete: 'integration.manage' });
