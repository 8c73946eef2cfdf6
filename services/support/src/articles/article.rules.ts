/** The states of an article. Readers see what is published; a draft is never made of what was published. */
import { type Caller, lifecycle } from '@suite/chassis';

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

/** The verbs that lead to the states that a change may ask for. */
export const VERBS = { published: 'publish', archived: 'archive' } as const;

/** Whether somebody reads what is not published, too. */
export const isEditor = ({ permissions }: Caller): boolean => permissions.includes('article.update');

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether a path that names an article names it by its id, and not by its address. */
export const isId = (id_or_slug: string): boolean => UUID.test(id_or_slug);
