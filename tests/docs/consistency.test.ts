/** Rules for names and forms of the whole API: one concept has one name, and one kind of value has one form. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { objectsOf, operationsOf, type Property, propertiesOf, type WireDocument } from './wire.ts';

const file = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const document = JSON.parse(readFileSync(file, 'utf8')) as WireDocument;
const operations = operationsOf(document);
const properties = operations.flatMap((operation) => propertiesOf(document, operation));
const objects = operations.flatMap((operation) => objectsOf(document, operation));

/** Returns where properties break a rule, without repetitions. */
const faultsOf = (isFaulty: (property: Property) => boolean): string[] => [
  ...new Set(properties.filter(isFaulty).map(({ operation, path }) => `${operation}: ${path}`)),
];

test('each response has `data`, and each list also has `meta`', () => {
  const replies = operations.flatMap(({ id, reply }) => (reply ? [{ id, reply }] : []));
  expect(replies.length).toBeGreaterThan(700);
  expect(replies.filter(({ reply }) => !reply.properties?.['data']).map(({ id }) => id)).toEqual([]);
  const isList = ({ reply }: (typeof replies)[number]) => reply.properties?.['data']?.type === 'array';
  const wrong = replies.filter((one) => isList(one) !== (one.reply.properties?.['meta'] !== undefined));
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

test('no object in `data` is called `data` again', () => {
  expect(faultsOf(({ path }) => path.endsWith('.data.data'))).toEqual([]);
});

test('decimals are strings, except for coordinates', () => {
  const COORDINATES = ['lat', 'lng', 'accuracy_m'];
  expect(faultsOf(({ name, types }) => types.includes('number') && !COORDINATES.includes(name))).toEqual([]);
});

/** Lifetimes of tokens in seconds, with the names of OAuth 2.0 (RFC 6749). */
const OAUTH = ['expires_in', 'refresh_expires_in'];

test('the name of a duration ends with its unit', () => {
  const isLength = ({ name, types }: Property) =>
    types.includes('integer') && /(?:^|_)(?:duration|expires_in|grace|timeout|below|elapsed|took)(?:_|$)/.test(name);
  const hasUnit = ({ name }: Property) => /_(?:ms|seconds|minutes|hours|days)$/.test(name) || OAUTH.includes(name);
  expect(faultsOf((property) => isLength(property) && !hasUnit(property))).toEqual([]);
});

test('a number that is described in seconds or minutes has the unit in its name', () => {
  const UNIT =
    /\b(?:in|of|number of|worked|working|estimated|tracked|scheduled) (?:working )?(?:milliseconds|seconds|minutes|hours)\b/i;
  const isNumber = ({ types }: Property) => types.includes('integer');
  expect(
    faultsOf(
      ({ name, description, ...rest }) =>
        isNumber({ name, description, ...rest }) &&
        UNIT.test(description) &&
        !/(?:^|_)(?:ms|seconds|minutes|hours)(?:_|$)/.test(name) &&
        !OAUTH.includes(name),
    ),
  ).toEqual([]);
});

test('a percentage is an integer or a decimal string', () => {
  const percentages = properties.filter(({ name }) => name.endsWith('percent'));
  expect(percentages.length).toBeGreaterThan(10);
  const isExact = ({ types }: Property) =>
    types.every((type) => ['integer', 'string', 'null', 'boolean'].includes(type));
  expect(percentages.filter((one) => !isExact(one)).map(({ path }) => path)).toEqual([]);
});

/** Beginnings and ends of periods that belong together. The first two have days, the others days or times. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['from', 'to'],
  ['valid_from', 'valid_to'],
  ['start', 'end'],
  ['start_date', 'end_date'],
  ['period_start', 'period_end'],
  ['current_period_start', 'current_period_end'],
  ['started_at', 'ended_at'],
  ['starts_midday', 'ends_midday'],
  ['shift_start', 'shift_end'],
  ['window_start', 'window_end'],
  ['begin_minutes', 'end_minutes'],
];
const STARTS = new Map(PAIRS);
const ENDS = new Map(PAIRS.map(([start, end]) => [end, start]));

test('the beginning and the end of a period have matching names', () => {
  const isOdd = (names: readonly string[]) => {
    const has = (name: string | undefined) => name !== undefined && names.includes(name);
    const start = names.filter((name) => STARTS.has(name) && !has(STARTS.get(name)));
    const end = names.filter((name) => ENDS.has(name) && !has(ENDS.get(name)));
    return start.length > 0 && end.length > 0;
  };
  const odd = objects.filter(({ names }) => isOdd(names)).map(({ operation, path }) => `${operation}: ${path}`);
  expect([...new Set(odd)]).toEqual([]);
  expect(
    faultsOf(({ name }) => /^(?:begin|begins|finish|start_at|end_at|starts_at|ends_at|until_date)$/.test(name)),
  ).toEqual([]);
});

test('weekdays are numbers from 1 for Monday to 7 for Sunday', () => {
  const isDay = ({ name }: Property) => /^(?:mon|tue|wed|thu|fri|sat|sun)(?:day)?$/.test(name);
  expect(faultsOf(isDay)).toEqual([]);
  const named = properties.filter(({ name }) => /^(?:weekdays?|week_start)$/.test(name));
  expect(named.length).toBeGreaterThan(5);
  const isNumber = ({ types, item }: Property) => types.includes('integer') || item.includes('integer');
  expect(named.filter((one) => !isNumber(one)).map(({ path }) => path)).toEqual([]);
});

/** Subscriptions use the words of the payment provider. */
const OF_PROVIDER = /^(?:soldSubscriptions|ownSubscription|subscriptions|checkouts)\./;

test('`cancelled` has two l, except in subscriptions of the payment provider', () => {
  const isOdd = ({ operation, name, values }: Property) =>
    !OF_PROVIDER.test(operation) && (/canceled/.test(name) || values.some((value) => /canceled/.test(String(value))));
  expect(faultsOf(isOdd)).toEqual([]);
  const isMixed = ({ operation, name, values }: Property) =>
    OF_PROVIDER.test(operation) && [name, ...values].some((text) => /cancelled/.test(String(text)));
  expect(faultsOf(isMixed)).toEqual([]);
});

test('bank accounts have one set of names', () => {
  const NAMES = ['account_name', 'account_number', 'bank_code', 'bank_name', 'bic', 'holder'];
  const OTHERS = /^(?:iban|swift|bank|account_no|account_holder|routing_number|sort_code)$/;
  const inBank = objects.filter(({ path }) => path.endsWith('.bank')).flatMap(({ names }) => names);
  expect([...new Set(inBank)].filter((name) => !NAMES.includes(name))).toEqual([]);
  expect(faultsOf(({ name, types }) => OTHERS.test(name) && !types.includes('object'))).toEqual([]);
});

test('the ID of a price is `price_id`', () => {
  const prices = objects.filter(({ path }) => path.endsWith('.prices[]'));
  expect(prices.length).toBeGreaterThan(2);
  expect(prices.filter(({ names }) => names.includes('id')).map(({ operation }) => operation)).toEqual([]);
});

test('the currency of a workspace is `base_currency`', () => {
  const workspaces = objects.filter(
    ({ path, names }) => path.endsWith('.workspace') || names.includes('fiscal_year_start'),
  );
  const withCurrency = workspaces.filter(({ names }) => names.some((name) => name.endsWith('currency')));
  expect(withCurrency.length).toBeGreaterThan(5);
  // An object with both has a price in `currency`.
  const wrong = withCurrency.filter(({ names }) => !names.includes('base_currency'));
  expect(wrong.map(({ operation }) => operation)).toEqual([]);
});

test('a part of an embedded object does not occur next to it again', () => {
  const repeated = objects.flatMap(({ operation, path, names, embedded }) =>
    Object.entries(embedded).flatMap(([name, parts]) =>
      names
        .filter(
          (other) =>
            other !== `${name}_id` && parts.includes(other.slice(name.length + 1)) && other.startsWith(`${name}_`),
        )
        .map((other) => `${operation}: ${path}.${other}`),
    ),
  );
  // This field is a filter only. Responses do not contain values for the field.
  expect(repeated.filter((one) => one !== 'tickets.list: .data[].requester_email')).toEqual([]);
});

/** Rows of `docs/states.md`: an action, its states, its permissions and the operations that perform it. */
const DONE = /^\| (\w+) \| [^|]* \| [^|]* \| (`.+`) \|$/gm;
const states = readFileSync(fileURLToPath(new URL('../../docs/states.md', import.meta.url)), 'utf8');
const performed = [...states.matchAll(DONE)].flatMap(([, action = '', ids = '']) =>
  [...ids.matchAll(/`([\w.]+)`/g)].map(([, operation = '']) => ({ action, operation })),
);

test('an operation that chooses between actions accepts the words of `allowed_actions`', () => {
  const CHOICE = /^body\.(?:action|status|stage)$/;
  const choices = properties.filter(({ path, values }) => CHOICE.test(path) && values.length > 0);
  const sent = new Map(choices.map(({ operation, values }) => [operation, values]));
  const offered = new Map(
    properties
      .filter(({ name }) => name === 'allowed_actions')
      .map(({ operation, item_values: values }) => [operation, values]),
  );
  const chosen = performed.filter(
    ({ action, operation }) => sent.has(operation) && offered.get(operation)?.includes(action) && action !== 'update',
  );
  expect(chosen.length).toBeGreaterThan(40);
  const missing = chosen.filter(({ action, operation }) => !sent.get(operation)!.includes(action));
  expect(missing.map(({ action, operation }) => `${operation}: ${action}`)).toEqual([]);
});

test('actions have one name for the deletion of a record: `delete`', () => {
  const words = properties
    .filter(({ name }) => name === 'allowed_actions')
    .flatMap(({ item_values: values }) => values);
  expect(words).toContain('delete');
  expect(words.filter((word) => /^(?:remove|destroy|discard|trash)$/.test(String(word)))).toEqual([]);
});

test('internal notes are hidden from clients and vendors', () => {
  const schemas = Object.entries(document.components['schemas'] ?? {});
  const notes = schemas.flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).map(([field, property]) => ({ path: `${name}.${field}`, ...property })),
  );
  // Leads are visible to staff only.
  const internal = notes.filter(
    ({ path, description }) => description?.startsWith('Internal notes') && !/^[A-Za-z]*Lead/.test(path),
  );
  expect(internal.length).toBeGreaterThan(10);
  expect(internal.filter((one) => !one['x-inner']).map(({ path }) => path)).toEqual([]);
});
