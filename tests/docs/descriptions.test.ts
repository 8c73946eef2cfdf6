/** The descriptions of operations in the API docs: their own text, before the generated sentence about access. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

interface Described {
  operationId?: string;
  description?: string;
}

const SHORTEST = 40;
const WORDS_MAX = 20;

const file = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: Record<string, Record<string, Described>> };
const operations = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .filter(({ operationId }) => operationId !== undefined)
  .map(({ operationId, description = '' }) => ({ operationId, own: description.split('\n\n').slice(0, -1).join(' ') }));

const sentencesOf = (text: string) => text.replaceAll(/`[^`]*`/g, 'code').split(/(?<=[.!?]) /);
const faultsOf = (isFaulty: (own: string) => boolean) =>
  operations.filter(({ own }) => isFaulty(own)).map(({ operationId, own }) => `${operationId}: ${own}`);

test('each operation has a description of its own', () => {
  expect(faultsOf((own) => own.length < SHORTEST)).toEqual([]);
});

test('each begins with what the operation does, such as "Returns"', () => {
  expect(faultsOf((own) => !/^[A-Z][a-z]+s,? /.test(own) || /^(?:Answers|Its|Takes|Tells|This) /.test(own))).toEqual(
    [],
  );
});

test('each sentence has at most 20 words and ends with a full stop', () => {
  const isLong = (sentence: string) => sentence.split(' ').length > WORDS_MAX;
  expect(faultsOf((own) => !own.endsWith('.') || sentencesOf(own).some(isLong))).toEqual([]);
});
