import { conformance, seclusion } from '@suite/harness';
import { furnish } from '../test/furnish.ts';
import { openFinance } from '../test/ground.ts';
import { finance } from './finance.ts';

const ground = await openFinance();
const { serving, company } = ground;

const [ours, theirs] = [await furnish(await company(), ground), await furnish(await company(), ground)];

conformance({
  contents: finance,
  serving,
  insider: { workspace: ours },
  foreign_workspace: theirs,
});

const ledger = 'the ledger is whole for whoever may look into it';

seclusion({
  contents: finance,
  serving,
  workspace: ours,
  whole: {
    'journalEntries.list': ledger,
    'reports.showIntegrity': ledger,
    'bankTransactions.list': 'a bank statement is whole for whoever may look into it',
  },
});
