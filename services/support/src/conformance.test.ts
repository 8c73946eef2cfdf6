import { conformance, seclusion } from '@suite/testing';
import { openSupport } from '../test/fixture.ts';
import { support } from './support.ts';

const { serving, office } = await openSupport();

/** A workspace with a record in every table that a path can name. */
async function furnished(): Promise<string> {
  const { owner, workspace } = await office();
  await owner.post('/api/support-ticket/faqs/store', { question: 'Where?', answer: 'Here.', active: false });
  await owner.post('/api/support-ticket/knowledge/store', { title: 'How to pay', body: 'By transfer.' });
  return workspace;
}

const [ours, theirs] = [await furnished(), await furnished()];

/** Protected fields that a body may carry. */
const declared = {
  'articles.create': { status: 'an article may be published at once' },
  'articles.update': { status: 'the specification names no other way to publish an article' },
};

conformance({ contents: support, serving, insider: { workspace: ours }, foreign_workspace: theirs, declared });

seclusion({ contents: support, serving, workspace: ours });
