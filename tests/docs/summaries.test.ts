/** The summaries of the API docs: an imperative verb and a noun, in at most eight words. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

interface Described {
  operationId?: string;
  summary?: string;
}

const file = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: Record<string, Record<string, Described>> };
const operations = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .filter(({ operationId }) => operationId !== undefined);

/** Verbs for every service, followed by the business verbs. */
const USUAL = ['List', 'Get', 'Create', 'Update', 'Delete', 'Add', 'Remove', 'Upload', 'Download', 'Search'];
const DECISIONS = ['Accept', 'Acknowledge', 'Approve', 'Choose', 'Close', 'Complete', 'Confirm', 'Reject', 'Verify'];
const PUBLISHING = ['Activate', 'Cancel', 'Comment', 'End', 'Erase', 'Move', 'Publish', 'Reorder', 'Restore', 'Revoke'];
const CREDENTIALS = [
  'Change',
  'Disable',
  'Disconnect',
  'Connect',
  'Invite',
  'Refresh',
  'Reset',
  'Rotate',
  'Set',
  'Sign',
];
const MESSAGES = [
  'Block',
  'Merge',
  'Preview',
  'Push',
  'Receive',
  'Remind',
  'Replay',
  'Reply',
  'Resend',
  'Retry',
  'Send',
];
const MONEY = [
  'Adjust',
  'Allocate',
  'Apply',
  'Calculate',
  'Convert',
  'Invoice',
  'Pay',
  'Post',
  'Reconcile',
  'Record',
  'Refund',
];
const MORE_MONEY = ['Release', 'Revalue', 'Reverse', 'Undo', 'Withhold'];
const PEOPLE = [
  'Clock',
  'Correct',
  'File',
  'Investigate',
  'Propose',
  'Rehire',
  'Request',
  'Submit',
  'Withdraw',
  'Issue',
];
const OTHERS = [
  'Export',
  'Import',
  'Install',
  'Log',
  'Open',
  'Rate',
  'Register',
  'Reopen',
  'Run',
  'Start',
  'Stop',
  'Test',
  'Unblock',
  'Vote',
];
const VERBS = [USUAL, DECISIONS, PUBLISHING, CREDENTIALS, MESSAGES, MONEY, MORE_MONEY, PEOPLE, OTHERS].flat();

const verbOf = (summary: string) => summary.split(/[ ,]/)[0]!;

const faultsOf = (isFaulty: (summary: string) => boolean) =>
  operations
    .filter(({ summary = '' }) => isFaulty(summary))
    .map(({ operationId, summary }) => `${operationId}: ${summary}`);

test('each summary begins with an imperative verb', () => {
  expect(faultsOf((summary) => !VERBS.includes(verbOf(summary)))).toEqual([]);
});

test('each summary has two to eight words and no full stop', () => {
  const isLong = (summary: string) => summary.split(' ').length > 8 || summary.split(' ').length < 2;
  expect(faultsOf((summary) => isLong(summary) || /[.;]/.test(summary))).toEqual([]);
});

test('the summaries use every verb of the list', () => {
  const used = new Set(operations.map(({ summary = '' }) => verbOf(summary)));
  expect(VERBS.filter((verb) => !used.has(verb))).toEqual([]);
});
