import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import * as fields from './fields.ts';

const line = fields.ShortText(5);
const cases: [string, z.ZodType, accepted: unknown[], refused: unknown[]][] = [
  ['Id', fields.Id, ['01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10'], ['', '1', '01931d2e7c4a7b3e9f005b2c8e1d4a10', null]],
  ['idOf', fields.idOf('leads'), ['01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10'], ['leads']],
  [
    'Name',
    fields.Name,
    ['A', 'x'.repeat(200), 'می\u200Cخواهم', 'x\u200Fy'],
    ['', '   ', 'x'.repeat(201), 3, null, { contains: '' }, '\u200B', '\u2060\uFEFF', '\u3164', 'a\u202Eb', 'a\u2066b'],
  ],
  ['Line', line, ['', 'abcde'], ['abcdef', 1]],
  ['Paragraph', fields.LongText, ['', 'a\nb', 'x'.repeat(10_000)], ['x'.repeat(10_001)]],
  ['Email', fields.Email, ['ada@example.com'], ['ada', 'ada@', 'a b@example.com', `${'x'.repeat(250)}@example.com`]],
  ['Phone', fields.Phone, ['+49 30 1234-567', '(030) 12/34', '1234'], ['12', 'call me', '1'.repeat(31), '12;34']],
  [
    'Url',
    fields.Url,
    ['https://example.com/a?b=c', 'http://localhost'],
    ['example.com', 'javascript:alert(1)', 'file:///etc/passwd', `https://e.com/${'x'.repeat(2_000)}`],
  ],
  ['Color', fields.Color, ['#00ff7F'], ['#fff', 'red', '#00ff7g', '#00ff7f0']],
  ['Currency', fields.Currency, ['EUR', 'JPY'], ['eur', 'EURO', 'QQQ', '']],
  [
    'Zone',
    fields.Zone,
    [
      'Europe/Berlin',
      'UTC',
      'Asia/Kolkata',
      'Asia/Calcutta',
      'Europe/Kyiv',
      'Etc/UTC',
      'Etc/GMT+5',
      'US/Eastern',
      'America/Port-au-Prince',
      'America/Argentina/Buenos_Aires',
    ],
    ['Berlin', 'Mars/Olympus', '', '+01:00', '-05', 'europe/berlin', 'utc', ' UTC', 'x'.repeat(10_000)],
  ],
  ['Percentage', fields.Percentage, [0, 100], [-1, 101, 0.5, '50']],
  [
    'Day',
    fields.Day,
    ['2028-02-29', '0001-01-01', '9999-12-31'],
    ['0000-12-31', '10000-01-01', '2026-02-29', '2026-2-1', '2026-11-21T00:00:00Z', '21.11.2026', 0],
  ],
  ['Time', fields.Time, ['09:30', '23:59'], ['24:00', '9:30', '09:30:00', '09.30']],
  [
    'Timestamp',
    fields.Timestamp,
    [
      '2026-11-21T05:11:37Z',
      '2026-11-21T05:11:37.275+02:00',
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59-00:00',
      '2026-11-21T05:11:37+14:00',
    ],
    [
      '0000-12-31T23:59:59Z',
      '0001-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-01:00',
      '9999-12-31T23:59:59.9996Z',
      '2026-11-21T05:11:37+14:01',
      '2026-11-21T05:11:37-23:00',
      '2026-11-21T05:11:37+24:00',
      '2026-11-21',
      '2026-11-21T05:11:37',
      'now',
      0,
    ],
  ],
  [
    'Money',
    fields.Money,
    ['0', '1250.00', '0.0001', '999999999999999.9999'],
    ['-1', '1e3', '1,50', '.5', '1.', '1.00001', '1000000000000000', 12.5, 'NaN'],
  ],
  ['choice', fields.choice('open', 'done'), ['open'], ['closed', 'Open', '']],
  ['version', fields.version, [1, undefined], [0, 1.5, '1', null]],
  ['input', fields.input({ a: z.string() }), [{ a: 'x' }], [{ a: 'x', b: 1 }, {}, []]],
  ['secret', fields.secret(z.string()), ['x', null], [1, undefined]],
];

test.each(cases)('%s accepts valid values and nothing else', (_, schema, accepted, refused) => {
  expect(accepted.filter((value) => !schema.safeParse(value).success)).toEqual([]);
  expect(refused.filter((value) => schema.safeParse(value).success)).toEqual([]);
});

test('trims text and converts e-mail addresses to lower case', () => {
  expect(fields.Name.parse('  Ada \n')).toBe('Ada');
  expect(line.parse(' abcde ')).toBe('abcde');
  expect(fields.LongText.parse('\n a \n b \n')).toBe('a \n b');
  expect(fields.Email.parse('Ada@Example.COM')).toBe('ada@example.com');
});

describe('a response', () => {
  test('returns days and timestamps as text, from a driver value or from text', () => {
    const moment = new Date('2026-11-21T05:11:37.275Z');
    expect(fields.Day.parse(moment)).toBe('2026-11-21');
    expect(fields.Timestamp.parse(moment)).toBe('2026-11-21T05:11:37.275Z');
  });

  test.each([
    ['10', '10.00'],
    ['10.5', '10.50'],
    ['10.5000', '10.50'],
    ['0.1250', '0.125'],
    ['0.0001', '0.0001'],
    ['999999999999999.9999', '999999999999999.9999'],
    ['-3', '-3.00'],
    ['-0.5000', '-0.50'],
    ['1000', '1000.00'],
    ['007.50', '7.50'],
    ['1e3', '1000.00'],
    ['1e-5', '0.00001'],
    [7, '7.00'],
    [{ toString: () => '1250.5' }, '1250.50'],
  ])('writes the amount %s as %s', (amount, written) => expect(fields.MoneyOut.parse(amount)).toBe(written));

  test.each([
    ['3.000000', '3'],
    ['1000', '1000'],
    ['0.500000', '0.5'],
    ['0.000000', '0'],
    ['-12.340000', '-12.34'],
    ['2e1', '20'],
    [4, '4'],
  ])('writes the quantity %s as %s', (quantity, written) => expect(fields.QtyOut.parse(quantity)).toBe(written));

  test('omits a missing amount', () => {
    expect(fields.MoneyOut.nullable().parse(null)).toBeNull();
    expect(fields.MoneyOut.optional().parse(undefined)).toBeUndefined();
    expect(fields.MoneyOut.safeParse(null).success).toBe(false);
  });

  test('has the common fields of a record, and drops fields outside its schema', () => {
    const row = {
      id: '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10',
      created_by: null,
      updated_by: null,
      version: 1,
      created_at: new Date(0),
      updated_at: new Date(0),
    };
    const Lead = fields.record({ name: fields.Name });
    const instant = '1970-01-01T00:00:00.000Z';
    const left = { ...row, name: 'Ada', created_at: instant, updated_at: instant };
    expect(Lead.parse({ ...row, name: 'Ada', workspace_id: 'w', password: 'x' })).toEqual(left);
    expect(Lead.safeParse({ name: 'Ada' }).success).toBe(false);
  });
});
