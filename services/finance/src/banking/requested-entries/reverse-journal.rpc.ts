/** Reversal of journal entries that other services have requested. */
import { sql } from '@suite/chassis/database';
import { BusinessDay, Id } from '@suite/chassis/fields';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { z } from 'zod';
import { method } from '../../operations.ts';
import { REQUESTING_SERVICES } from './requesting-services.ts';
import { postJournal } from './post-journal.rpc.ts';
import { reverseRequestedEntry } from './reversal.ts';

const { methods } = FinanceServiceDefinition;
const MAX_IDS = 1_000;

/** Key, and date of the reversal. An empty date means the date of the entry. */
export const ReversalRequest = z.object({
  idempotency_key: z.string().min(1).max(255),
  date: BusinessDay.or(z.literal('')),
});

/** Reverses the entry of a key. The key cannot be used again. */
export const reverseJournal = method(methods.reverseJournal, {
  summary: 'Reverse a requested journal entry',
  access: 'settling',
  only: REQUESTING_SERVICES,
  idempotent: true,
  undoes: postJournal,
  input: ReversalRequest,
  handle: ({ undone, input, ...context }) => reverseRequestedEntry(context, undone?.journal_entry_id, input.date),
});

/** Returns the entries that cannot be reversed now, with the reasons. */
export const checkReversal = method(methods.checkReversal, {
  summary: 'Check whether journal entries can be reversed',
  only: REQUESTING_SERVICES,
  input: z.object({ journal_entry_ids: z.array(Id).max(MAX_IDS, `Send at most ${MAX_IDS} IDs.`) }),
  async handle({ db, input: { journal_entry_ids } }) {
    const refusals = await db.rows<{ journal_entry_id: string; reason: string }>(sql`
      SELECT asked.id AS journal_entry_id, reason
      FROM unnest(${journal_entry_ids}::uuid[]) AS asked (id), LATERAL (SELECT CASE
        WHEN NOT EXISTS (SELECT FROM journal_entries AS entry WHERE entry.id = asked.id) THEN 'unknown'
        WHEN EXISTS (SELECT FROM journal_entries AS other WHERE other.reversal_of = asked.id) THEN 'already_reversed'
        WHEN EXISTS (
          SELECT FROM bank_transactions AS moved WHERE moved.journal_id = asked.id AND moved.status = 'reconciled')
          THEN 'reconciled'
        END AS reason) AS found
      WHERE reason IS NOT NULL`);
    return { refusals };
  },
});
