/** Factories for FAQs and articles, and their example calls. `$article` is the ID of a record that calls share. */
import type { ExampleCall, ExampleFactory } from '../recorder/recorder.ts';

const BODY = 'Choose **Forgotten password** where you sign in.\n\nThe link is good for an hour.';

const articleIn =
  (status: 'draft' | 'published', about: string): ExampleFactory =>
  (recorder, serial) =>
    recorder.call('articles.create', { body: { title: `${about} ${serial}`, body: BODY, status } });

export const knowledge: Record<string, ExampleFactory> = {
  faq: (recorder, serial) =>
    recorder.call('faqs.create', {
      body: { question: `How do I sign in? (${serial})`, answer: 'With your *address*.' },
    }),
  article: articleIn('published', 'Signing in'),
  knowledge: articleIn('draft', 'Signing out'),
};

export const knowledgeCalls: Record<string, ExampleCall> = {
  'faqs.create': { body: { question: 'Where are my invoices?', answer: 'Under *Billing*, newest first.' } },
  'faqs.update': { body: { answer: 'With your address and your *password*.', position: 0 } },
  'articles.show': { path: { id_or_slug: '$article' } },
  'articles.create': { body: { title: 'Resetting a password', body: BODY, tags: ['account'] } },
  'articles.update': { body: { title: 'Signing out everywhere', status: 'published' } },
  'articles.restore': { body: { revision: 1 } },
  'articles.vote': { body: { helpful: true } },
};
