import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { parse } from '../http/parse.ts';
import type { Fault } from '../runtime/fault.ts';
import { boundInput } from './bounded-input.ts';

const Line = z.strictObject({ name: z.string().max(10), tags: z.array(z.string().max(5)).max(3).optional() });

function refusal(schema: z.ZodType, value: unknown): Fault {
  try {
    parse(schema, value);
  } catch (error) {
    return error as Fault;
  }
  throw new Error('It was accepted.');
}

describe('input beyond its limits', () => {
  test('runs at most as many checks as a list may have elements', () => {
    let checked = 0;
    const Counted = z.unknown().refine(() => (checked += 1) > 0);
    const Ids = z
      .array(Counted)
      .refine(() => true)
      .max(5, 'Add at most 5.');
    const Body = z.strictObject({ ids: Ids.nullable().default(null) });
    expect(refusal(Body, { ids: Array(100_000).fill(0) }).errors).toEqual({ ids: ['Add at most 5.'] });
    expect(checked).toBeLessThan(7);
  });

  test("is rejected with the schema's messages at any depth", () => {
    const Body = z.strictObject({
      lines: z.array(Line.or(z.null())).max(2),
      by_name: z.record(z.string(), Line).optional(),
      pair: z.tuple([z.string(), z.string()]).optional(),
    });
    const lines = [{ name: 'a', tags: Array(10_000).fill('b') }];
    expect(Object.keys(refusal(Body, { lines }).errors!)).toEqual(['lines.0.tags']);
    expect(Object.keys(refusal(Body, { lines: [], by_name: { x: { name: 'n'.repeat(9_999) } } }).errors!)).toEqual([
      'by_name.x.name',
    ]);
    expect(Object.keys(refusal(Body, { lines: [], pair: Array(9_999).fill('a') }).errors!)).toEqual(['pair']);
  });

  test('applies no rule to a text far beyond its maximum', () => {
    const read: number[] = [];
    const Text = z
      .string()
      .max(20, 'Use at most 20 characters.')
      .refine((text) => read.push(text.length) > 0);
    const Body = z.strictObject({ text: z.union([Text, z.literal('')]) });
    expect(refusal(Body, { text: 'a'.repeat(250_000) }).errors).toEqual({ text: ['Use at most 20 characters.'] });
    expect(Math.max(...read)).toBe(21);
  });

  test('names at most 100 wrong fields', () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`field_${at}`, at]));
    expect(Object.keys(refusal(z.strictObject({}), many).errors!)).toHaveLength(100);
    const errors = refusal(z.array(z.string()).max(500), Array(400).fill(0)).errors!;
    expect(Object.keys(errors)).toHaveLength(100);
  });

  test('is rejected if a map has more than 1,000 entries', () => {
    const Body = z.strictObject({ labels: z.record(z.string(), z.string()) });
    const labels = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`l${at}`, 'x']));
    expect(refusal(Body, { labels }).errors).toEqual({ labels: ['Add at most 1000 entries.'] });
  });

  test('is rejected if a list without a maximum has more than 10,000 elements', () => {
    const Body = z.strictObject({ parts: z.array(z.enum(['a', 'b'])).default([]) });
    expect(refusal(Body, { parts: Array(10_001).fill(0) }).errors).toEqual({ parts: ['Add at most 10,000 elements.'] });
    expect(parse(Body, { parts: Array(10_000).fill('a') }).parts).toHaveLength(10_000);
  });

  test('is rejected if a map has an entry that the parser would omit', () => {
    const Body = z.strictObject({ labels: z.record(z.string(), z.string()).optional() });
    expect(refusal(Body, JSON.parse('{"labels":{"a":"x","__proto__":"y"}}')).errors).toEqual({
      'labels.__proto__': ['This name is not allowed here.'],
    });
  });
});

describe('input within its limits', () => {
  test('returns the same object', () => {
    const Body = z.object({
      lines: z.array(Line).max(200),
      note: z.string().trim().max(10).nullish(),
      size: z.union([z.array(z.string()).max(1), z.array(z.string()).max(9), z.string()]),
      map: z.record(z.string(), z.unknown()),
    });
    const value = {
      lines: [{ name: 'a', tags: ['x'] }, { name: 'b' }],
      note: `${' '.repeat(900)}a`,
      size: ['1', '2', '3'],
      map: { a: [1, 2, 3] },
      extra: { b: 1 },
    };
    expect(boundInput(Body, value)).toBe(value);
  });
});
