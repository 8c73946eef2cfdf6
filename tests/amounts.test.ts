import { expect, test } from '@jest/globals';
import { amounts, type CurrencyOf, marked, operationsOf, type Reply, writeAmounts } from '@suite/chassis/declarations';
import { declaredServices } from '@suite/testing/declared';

const amountsOf = marked((schema) => {
  const currency = amounts.get(schema)?.currency;
  return currency === undefined ? undefined : { currency, about: schema.meta()?.description ?? '' };
});

/** Returns a response with an amount at a path, and a currency in each object around it. */
function responseWith(path: readonly string[], currencies: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return '5.0000';
  if (name === '*') return [responseWith(rest, currencies)];
  const [currency, ...inside] = currencies;
  return { currency, [name]: responseWith(rest, inside) };
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((part, name) => (part as Record<string, unknown>)[name === '*' ? 0 : name], value);

const WRITTEN: Readonly<Record<string, string>> = { JPY: '5', EUR: '5.00', KWD: '5.000' };
const BASE = 'KWD';

/** Returns the currency that is expected for an amount. Its own currency is JPY, and all objects around it use EUR. */
const expectedOf = (currency: CurrencyOf, path: readonly string[]): string => {
  if (currency === 'base') return BASE;
  if (currency === 'own') return 'JPY';
  return path.filter((name) => name !== '*').length > 1 ? 'EUR' : BASE;
};

function writtenAt(schema: Reply['schema'], path: readonly string[], currency: CurrencyOf): unknown {
  const depth = path.filter((name) => name !== '*').length;
  const currencies = Array.from({ length: depth }, (_, at) => (at === depth - 1 ? 'JPY' : 'EUR'));
  const response = responseWith(path, currencies);
  if (typeof currency === 'object')
    (valueAt(response, path.slice(0, -1)) as Record<string, unknown>)[currency.field] = 'EUR';
  return valueAt(writeAmounts(schema, response, response, BASE), path);
}

const fields = declaredServices.flatMap((service) =>
  [...operationsOf(service)].flatMap(([id, { reply }]) =>
    amountsOf(reply.schema).map(({ path, mark }) => ({ id, path, mark, schema: reply.schema })),
  ),
);

test('every response writes amounts with the decimals of their currency', () => {
  const shown = fields.map(({ id, path, mark, schema }) => [
    `${id} ${path.join('.')}`,
    writtenAt(schema, path, mark.currency),
  ]);
  expect(shown).toEqual(
    fields.map(({ id, path, mark }) => [
      `${id} ${path.join('.')}`,
      WRITTEN[typeof mark.currency === 'object' ? 'EUR' : expectedOf(mark.currency, path)],
    ]),
  );
  expect(fields.length).toBeGreaterThan(1_000);
});

/** `base_amount` of a commission is the amount to which its rate applies. */
const OTHER_BASES = /^(commissions|agents|reports)\..*\bbase_amount$/;

test('amounts in base currency are declared as such', () => {
  const wrong = fields
    .filter(({ path, mark }) => path.at(-1)?.startsWith('base_') || /\bin base currency\b/i.test(mark.about))
    .filter(({ id, path, mark }) => mark.currency !== 'base' && !OTHER_BASES.test(`${id} ${path.join('.')}`))
    .map(({ id, path }) => `${id} ${path.join('.')}`);
  expect(wrong).toEqual([]);
});
