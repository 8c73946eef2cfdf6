import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '..');

/** Queues whose e-mails do not all count against the e-mail allowance of the workspace, with the reason. */
const NOT_ALL: Readonly<Record<string, string>> = {
  'crm emails': 'the command counts the recipients, so that it can reject an e-mail beyond the allowance',
  'platform outgoing_mail': 'e-mails to the verified address of an account are always sent',
};

/** Queues of e-mails with several recipients, which all count. */
const MANY: readonly string[] = ['support mails'];

const sources = globSync('services/*/src/**/*.ts', { cwd: root })
  .filter((path) => !path.includes('/generated/') && !path.endsWith('.test.ts'))
  .map((path) => ({ service: path.split('/')[1]!, text: readFileSync(join(root, path), 'utf8') }));

/** The declarations of queues: everything up to the end of the call. */
const queues = sources.flatMap(({ service, text }) =>
  [...text.matchAll(/\bmailQueue<[^>]*>\(\{\n([\s\S]*?)\n\}\);/g)].map(([, options]) => ({
    name: `${service} ${/^ {2}table: '(\w+)'/m.exec(options!)![1]!}`,
    counted: /^ {2}counted: /m.test(options!),
    recipients: /^ {2}recipientsOf: /m.test(options!),
  })),
);

test('every queue counts all e-mails against the allowance, unless a reason is known', () => {
  expect(queues).toHaveLength(9);
  expect(queues.flatMap(({ name, counted }) => (counted ? [name] : [])).toSorted()).toEqual(
    Object.keys(NOT_ALL).toSorted(),
  );
  expect(queues.flatMap(({ name, recipients }) => (recipients ? [name] : []))).toEqual(MANY);
});

test('a queue does not count recipients that a command has counted', () => {
  const counting = sources.filter(({ text }) => /\.prepareEmail\(/.test(text)).map(({ service }) => service);
  const once = queues.filter(({ counted }) => counted).map(({ name }) => name.split(' ')[0]!);
  expect(counting.filter((service) => !once.includes(service))).toEqual([]);
  expect(counting).not.toEqual([]);
});

test('no e-mail leaves a service except through a queue', () => {
  const senders = sources.filter(({ text }) => /\bmailer\.send\(/.test(text)).map(({ service }) => service);
  expect(senders).toEqual([]);
});
