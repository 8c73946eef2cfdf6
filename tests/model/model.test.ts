import { beforeAll, describe, expect, test } from '@jest/globals';
import { useSharedSuite } from '@suite/testing/suite/started';
import { findAllViolations } from '@suite/tools/audit';
import { simulate, totalOperations } from '@suite/tools/model';

/** Number of operations, enough to get every response. `npm run model` accepts any number. */
const OPERATIONS = 2_000;
const SEED = 20_260_302;

const suite = await useSharedSuite('modelled');
let tally: Awaited<ReturnType<typeof simulate>>;

beforeAll(async () => {
  tally = await simulate(suite, { operations: OPERATIONS, seed: SEED });
}, 900_000);

describe('a workspace under random operations', () => {
  test('matches its model after every step: responses, documents, stock and the books', () => {
    expect(totalOperations(tally)).toBeGreaterThanOrEqual(OPERATIONS);
  });

  test.each([
    'correct stock 409 insufficient_stock',
    'transfer 409 insufficient_stock',
    'transfer 422 validation_failed',
    'draft a sale 422 validation_failed',
    'post an invoice 409 insufficient_stock',
    'post an invoice 409 period_locked',
    'complete a return 409 period_locked',
    'post money 409 period_locked',
    'reverse money 409 period_locked',
    'change an invoice 409 invalid_transition',
    'delete an invoice 409 invalid_transition',
    'cancel an invoice 409 invalid_transition',
    'cancel an invoice 409 has_returns',
    'cancel an invoice 409 insufficient_stock',
    'cancel a return 409 invalid_transition',
    'draft a return 422 over_returned',
    'approve a return 422 over_returned',
    'complete a return 409 invalid_transition',
    'draft money 422 validation_failed',
    'post money 409 over_allocated',
    'post money 409 invalid_transition',
    'archive a product 409 product_has_stock',
  ])('rejects as expected: %s', (refusal) => {
    expect(tally.get(refusal)).toBeGreaterThan(0);
  });

  test('performs all allowed operations', () => {
    const done = [...tally.keys()].filter((answer) => / 20[01]$/.test(answer));
    expect(done.toSorted()).toEqual(
      [
        'make a product 201',
        'correct stock 201',
        'transfer 201',
        'undo a transfer 200',
        'draft a purchase 201',
        'draft a sale 201',
        'post an invoice 200',
        'change an invoice 200',
        'delete an invoice 200',
        'cancel an invoice 200',
        'cancel a return 200',
        'draft a return 201',
        'delete a return 200',
        'approve a return 200',
        'complete a return 200',
        'draft money 201',
        'approve money 200',
        'unapprove money 200',
        'delete money 200',
        'post money 200',
        'reverse money 200',
        'allocate money 200',
        'close the books 200',
        'close the books 201',
        'open the books 200',
      ].toSorted(),
    );
  });

  test('leaves no fault for the auditor to find', async () => {
    expect(await findAllViolations(suite, { seams: false })).toEqual([]);
  }, 240_000);
});
