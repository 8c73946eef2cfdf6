/**
 * Ledger of the fake of finance, with the posting and payment methods that other services call: once for each key,
 * undone by key.
 */
import { randomUUID } from 'node:crypto';
import { Fault, invalid } from '@suite/chassis/faults';
import {
  type FinanceServiceDefinition,
  type GetPaymentSourceResponse,
  type PostJournalRequest,
  type RecordPayoutRequest,
} from '@suite/proto/finance/v1/finance';
import type { FakeMethods } from './fake-server.ts';

type WithInjectedFault = <T>(work: () => T | Promise<T>) => Promise<T>;

/** A posted entry with its request. */
interface FakeEntry<Asked> {
  id: string;
  asked: Asked;
  /** Day of the reversal, if any. */
  reversed_on: string | null;
}

const keyReversed = () => new Fault(409, 'key_reversed', 'The key has already been reversed.');
const contentOf = ({ idempotency_key: _, ...content }: PostJournalRequest | RecordPayoutRequest) =>
  JSON.stringify(content);

/** Creates the fake of a posting method, with its entries by key. */
function fakePosting<Asked extends PostJournalRequest | RecordPayoutRequest>(method: string, calls: string[]) {
  const booked = new Map<string, FakeEntry<Asked>>();
  const spent = new Set<string>();
  return {
    booked,
    book(asked: Asked): string {
      const { idempotency_key: key, source_id, purpose } = asked;
      if (asked.dry_run) return '';
      calls.push(`${method} ${purpose}`);
      if (spent.has(key)) throw keyReversed();
      const known = booked.get(key);
      if (known && contentOf(known.asked) !== contentOf(asked)) throw new Fault(409, 'key_reused', 'Used already.');
      const taken = [...booked.values()].some(
        (one) => one.asked.source_id === source_id && one.asked.purpose === purpose,
      );
      if (!known && taken)
        throw new Fault(409, 'already_posted', 'This was already posted with other lines. Use another purpose.');
      const { id } = known ?? { id: randomUUID() };
      if (!known) booked.set(key, { id, asked, reversed_on: null });
      return id;
    },
    reverse(key: string, date: string, latest: string) {
      calls.push(`reverse ${method}`);
      const known = spent.has(key) ? undefined : booked.get(key);
      spent.add(key);
      if (!known) return { journal_entry_id: '', number: '', date: '' };
      const asked = date || known.asked.date;
      known.reversed_on = asked > latest ? asked : nextDay(latest);
      return { journal_entry_id: randomUUID(), number: 'JE-000002', date: known.reversed_on };
    },
  };
}

const nextDay = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

function assertUsable({ lines }: PostJournalRequest, unusable: ReadonlySet<string>): void {
  const wrong = lines.findIndex(({ account }) => account !== undefined && unusable.has(account.value));
  if (wrong >= 0) throw invalid(`lines.${wrong}.account`, 'This account cannot be posted to. Choose another account.');
}

/** Returns a function that creates a bank account for payments, and returns its ID. */
const sourceIn =
  (sources: Map<string, GetPaymentSourceResponse>) =>
  (more: Partial<GetPaymentSourceResponse> = {}): string => {
    const bank_account_id = randomUUID();
    const usual = { bank_name: 'Example Bank', account_name: 'Main', holder: 'Northwind GmbH', bic: 'COBADEFFXXX' };
    const account = { account_number: 'DE89370400440532013000', currency: 'EUR', gl_account_id: randomUUID() };
    sources.set(bank_account_id, { bank_account_id, ...usual, ...account, is_cash: false, active: true, ...more });
    return bank_account_id;
  };

/** Creates the fake ledger: its responses, and the state that tests can set and inspect. */
export function fakeLedger(calls: string[], troubled: WithInjectedFault) {
  const journals = fakePosting<PostJournalRequest>('postJournal', calls);
  const payouts = fakePosting<RecordPayoutRequest>('recordPayout', calls);
  const sources = new Map<string, GetPaymentSourceResponse>();
  /** IDs of entries that are reconciled with the bank. */
  const reconciled = new Set<string>();
  /** Last locked day of the books, and the scope of the lock. */
  const locked = { through: '', scope: 'all' };
  const unusable = new Set<string>();
  /** Work to run while a reversal is checked. */
  const during: { check?: () => Promise<unknown> } = {};
  const assertOpen = (date: string) => {
    if (date <= locked.through) throw new Fault(409, 'period_locked', 'The books are locked for this day.');
  };

  const answers: FakeMethods<typeof FinanceServiceDefinition> = {
    // Injected faults do not apply to this read-only method, so that they reach the posting methods.
    async checkPeriodOpen({ date, scope }) {
      const open = date > locked.through || !['all', scope].includes(locked.scope);
      return { open, locked_through: open ? '' : locked.through, reason: open ? '' : 'Closed' };
    },
    postJournal: (asked) =>
      troubled(() => {
        assertOpen(asked.date);
        assertUsable(asked, unusable);
        return { journal_entry_id: journals.book(asked), number: 'JE-000001' };
      }),
    reverseJournal: ({ idempotency_key: key, date }) => troubled(() => journals.reverse(key, date, locked.through)),
    recordPayout: (asked) =>
      troubled(() => {
        assertOpen(asked.date);
        if (unusable.has(asked.bank_account_id))
          throw invalid('bank_account_id', 'This bank account is archived. Choose another one.');
        return { journal_entry_id: payouts.book(asked), number: 'JE-000001', bank_transaction_id: randomUUID() };
      }),
    reversePayout: ({ idempotency_key: key, date }) =>
      troubled(() => {
        const known = payouts.booked.get(key);
        if (known && reconciled.has(known.id)) throw new Fault(409, 'reconciled', 'This is reconciled with the bank.');
        return payouts.reverse(key, date, locked.through);
      }),
    async checkReversal({ journal_entry_ids: ids }) {
      await during.check?.();
      const refused = ids.filter((id) => reconciled.has(id));
      return { refusals: refused.map((journal_entry_id) => ({ journal_entry_id, reason: 'reconciled' })) };
    },
    async getPaymentSource({ bank_account_id }) {
      const source = sources.get(bank_account_id);
      return source ?? Promise.reject(invalid('bank_account_id', 'Bank account not found.'));
    },
  };

  const source = sourceIn(sources);
  return { answers, journals: journals.booked, payouts: payouts.booked, reconciled, unusable, locked, during, source };
}
