import { conformance, visibilityConformance } from '@suite/testing';
import { createOneOfEach } from '../test/create-one-of-each.ts';
import { openSupport } from '../test/fixture.ts';
import { support } from './support.ts';

const { serving, office } = await openSupport();

const create = async () => createOneOfEach(serving, await office());
const [ours, theirs] = [await create(), await create()];

conformance({
  contents: support,
  serving,
  insider: { workspace: ours },
  foreign_workspace: theirs,
  named: { ticket_id: 'tickets' },
  declared: {
    'tickets.create': { status: 'agents choose the state in which it begins' },
    'tickets.update': { status: 'an action, which the table of states checks' },
    'ticketSteps.bulk': { status: 'an action, which the table of states checks' },
    'ticketReplies.create': { status: 'the state in which the reply leaves the ticket' },
    'articles.create': { status: 'an article may be published immediately' },
    'articles.update': { status: 'the specification names no other way to publish an article' },
    'ticketLinks.reply': { status: 'the requester says that it is solved' },
  },
});

visibilityConformance({
  contents: support,
  serving,
  workspace: ours,
  open: { categories: 'all users sort by categories', users: 'names of colleagues' },
});
