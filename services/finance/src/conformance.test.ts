import { conformance, visibilityConformance } from '@suite/testing';
import { createOneOfEach } from '../test/create-one-of-each.ts';
import { openFinance } from '../test/fixture.ts';
import { finance } from './finance.ts';

const fixture = await openFinance();
const { serving, company } = fixture;

const [ours, otherWorkspace] = [
  await createOneOfEach(await company(), fixture),
  await createOneOfEach(await company(), fixture),
];

conformance({
  contents: finance,
  serving,
  insider: { workspace: ours },
  foreign_workspace: otherWorkspace,
});

const ledger = 'users who may read the ledger see all of it';

visibilityConformance({
  contents: finance,
  serving,
  workspace: ours,
  whole: {
    'journalEntries.list': ledger,
    'reports.showIntegrity': ledger,
    'bankTransactions.list': 'users who may read a bank statement see all of it',
  },
});
