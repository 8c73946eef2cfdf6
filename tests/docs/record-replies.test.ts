/** Rules for the records in responses: their allowed actions, and the values that the request has sent. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { INSTRUCTIONS, NOT_RETURNED, WITHOUT_ACTIONS } from './record-reply-exceptions.ts';
import { mainObjectOf, operationsOf, sentNamesOf, type WireDocument } from './wire.ts';

const file = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const document = JSON.parse(readFileSync(file, 'utf8')) as WireDocument;
const operations = operationsOf(document).map((operation) => {
  const [noun = '', verb = ''] = operation.id.split('.');
  return { ...operation, noun, verb, main: mainObjectOf(document, operation) };
});

/** Verbs of operations that return a record, or its rows. */
const RETURNS = ['list', 'show', 'create', 'update', 'save'];
/** Verbs of operations that change an existing record. */
const CHANGES = ['update', 'remove', 'save'];

test('every record that can be updated or deleted has `allowed_actions` in responses', () => {
  const changeable = new Set(operations.filter(({ verb }) => CHANGES.includes(verb)).map(({ noun }) => noun));
  const returning = operations.filter(
    ({ noun, verb, main }) =>
      changeable.has(noun) &&
      RETURNS.includes(verb) &&
      main?.names.includes('id') &&
      // A command that returns a list returns related records, such as the labels of a lead.
      (!main.isList || verb === 'list'),
  );
  expect(returning.length).toBeGreaterThan(100);
  const missing = returning.filter(({ main }) => !main!.sent.includes('allowed_actions'));
  expect(missing.map(({ id }) => id)).toEqual(Object.keys(WITHOUT_ACTIONS));
});

/** Returns true if a response contains a value of the request, or the records that its IDs name. */
function isReturned(name: string, { names, sent }: { names: readonly string[]; sent: readonly string[] }): boolean {
  const records = /^(\w+)_ids$/.exec(name)?.[1];
  return names.includes(name) || (records !== undefined && sent.includes(`${records}s`));
}

test('creating or updating a record returns the values that were sent', () => {
  const saving = operations.filter(
    ({ verb, kind, main, body }) =>
      ['create', 'update', 'save'].includes(verb) &&
      kind === 'command' &&
      body !== undefined &&
      !main?.isList &&
      main?.names.includes('id'),
  );
  expect(saving.length).toBeGreaterThan(100);
  const missing = saving.flatMap((operation) =>
    sentNamesOf(document, operation)
      .filter((name) => !INSTRUCTIONS.includes(name) && !isReturned(name, operation.main!))
      .map((name) => `${operation.id}: ${name}`),
  );
  const exceptions = Object.entries(NOT_RETURNED).flatMap(([id, names]) =>
    Object.keys(names).map((name) => `${id}: ${name}`),
  );
  expect(missing.toSorted()).toEqual(exceptions.toSorted());
});
