/** Lifecycle of an article. Readers see published articles. A published article never becomes a draft again. */
import type { Caller } from '@suite/chassis/identity';
import { lifecycle } from '@suite/chassis/operations';

export const articleStates = lifecycle(
  'article',
  {
    draft: { publish: 'published' },
    published: { archive: 'archived' },
    archived: { publish: 'published' },
  },
  {
    owner: 'author_id',
    actions: {
      update: 'article.update',
      publish: 'article.update',
      archive: 'article.update',
      vote: { permission: 'article.view', in: ['published'], shared: true },
      delete: { permission: 'article.delete', in: ['draft', 'archived'] },
    },
  },
);

/** Actions for the statuses that a change can request. */
export const STATUS_ACTIONS = { published: 'publish', archived: 'archive' } as const;

/** Returns true if the caller may read unpublished articles, too. */
export const isEditor = ({ permissions }: Caller): boolean => permissions.includes('article.update');

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns true if a path names an article by its ID, and not by its slug. */
export const isId = (id_or_slug: string): boolean => UUID.test(id_or_slug);
