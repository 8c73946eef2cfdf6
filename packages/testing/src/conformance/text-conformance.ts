/**
 * Checks of text fields in request bodies: values that can reach an e-mail header or a file name must be a single line.
 */
import { expect, test } from '@jest/globals';
import { marked } from '@suite/chassis/declarations';
import { z } from 'zod';
import type { Probe } from './conformance.ts';

/** Fields whose values end up in subjects, addresses, headers and file names. */
const SINGLE_LINE = /(?:^|_)(?:name|subject|title|label|reference|location|company|contact|city|device|sender|slug)$/;

const INJECTED = ['A\r\nBcc: evil@example.test', 'A\nB', 'A\u2028B', 'A\u0085B', 'A\u0000B', 'A\tB'];

const stringsOf = marked((schema) => (schema instanceof z.ZodString ? schema : undefined));

/** Returns the single-line fields of a body that accept line breaks or other control characters. */
const acceptsSeveralLines = (body: z.ZodType): string[] =>
  stringsOf(body)
    .filter(({ path }) => SINGLE_LINE.test(path.filter((name) => name !== '*').at(-1) ?? ''))
    .filter(({ mark }) => INJECTED.some((text) => mark.safeParse(text).success))
    .map(({ path }) => path.join('.'));

/** Generates the test of an operation's text fields. */
export function testSingleLines({ operation: { body } }: Probe): void {
  if (!body || stringsOf(body).length === 0) return;
  test('rejects line breaks and other control characters in names and subjects', () => {
    expect(acceptsSeveralLines(body)).toEqual([]);
  });
}
