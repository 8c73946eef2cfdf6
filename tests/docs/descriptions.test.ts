/** The descriptions of operations in the API docs: their own text, before the generated sentence about access. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

interface Described {
  operationId?: string;
  description?: string;
  parameters?: { name?: string; description?: string }[];
  responses?: unknown;
}

const SHORTEST = 40;
const WORDS_MAX = 20;

/** A property of a schema, with the schema or operation that contains it. */
interface Property {
  context: string;
  name: string;
  type: string;
  isId: boolean;
  description: string;
}
type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Returns the type of a schema, except for `null`. A union of several types has none. */
function typeOf(field: Json): string {
  const types = [field['type'] ?? ((field['anyOf'] ?? []) as Json[]).map(typeOf)].flat(2).map(String);
  const found = [...new Set(types)].filter((type) => type !== 'null' && type !== '');
  return found.length === 1 ? found[0]! : '';
}

/** Returns true for a UUID, and for a list of UUIDs. */
function isUuid({ format, items, anyOf }: Json): boolean {
  const parts = [items, ...((anyOf ?? []) as unknown[])].filter(isObject);
  return format === 'uuid' || parts.some(isUuid);
}

function* propertiesOf(part: unknown, context: string): Generator<Property> {
  if (!isObject(part)) return;
  for (const [name, field] of Object.entries(isObject(part['properties']) ? part['properties'] : {})) {
    if (!isObject(field)) continue;
    yield { context, name, type: typeOf(field), isId: isUuid(field), description: String(field['description'] ?? '') };
  }
  for (const [key, one] of Object.entries(part))
    if (key !== 'example' && key !== 'examples') yield* propertiesOf(one, context);
}

const file = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const { paths, components } = JSON.parse(readFileSync(file, 'utf8')) as {
  paths: Record<string, Record<string, Described>>;
  components: {
    schemas: Record<string, unknown>;
    parameters: Record<string, { name: string; description?: string }>;
  };
};
const properties = [
  ...Object.entries(components.schemas).flatMap(([name, schema]) => [...propertiesOf(schema, name)]),
  ...Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => [...propertiesOf(operation, operation.operationId ?? '')]),
  ),
];
const problemOf = (isWrong: (property: Property) => boolean, among = properties) => [
  ...new Set(among.filter(isWrong).map(({ context, name, description }) => `${context}.${name}: ${description}`)),
];
const documentedOperations = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .filter(({ operationId }) => operationId !== undefined);
const operations = documentedOperations.map(({ operationId, description = '' }) => ({
  operationId,
  own: description.split('\n\n').slice(0, -1).join(' '),
}));
/** Parameters of operations and shared parameters, in the form of properties. */
const parameters: Property[] = [
  ...documentedOperations.flatMap(({ operationId = '', parameters: own = [] }) =>
    own.map((one) => ({ ...one, operationId })),
  ),
  ...Object.values(components.parameters).map((one) => ({ ...one, operationId: 'parameters' })),
].flatMap(({ operationId, name, description = '' }) =>
  name === undefined ? [] : [{ context: operationId, name, type: '', isId: false, description }],
);

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

/** Faults of rows in a response have no status of their own. */
const OF_ROWS = /\bfails? with\b/;

test('the HTTP status precedes each error code', () => {
  const withoutStatus = documentedOperations.flatMap(({ operationId, description = '', responses }) => {
    const codes = new Set(
      JSON.stringify(responses)
        .match(/"enum":\["\w+"(?:,"\w+")*\],"description":"Stable code/g)
        ?.flatMap((text) => text.match(/\w+/g) ?? []),
    );
    return description
      .split(/(?<=\.) /)
      .filter((sentence) => !OF_ROWS.test(sentence))
      .flatMap((sentence) => [...sentence.matchAll(/\breturns? `(\w+)`/gi)])
      .filter(([, code = '']) => codes.has(code))
      .map(([text]) => `${operationId}: ${text}`);
  });
  expect(withoutStatus).toEqual([]);
});

/** Returns true if a description repeats the name of its property or parameter. */
function isRepeated({ name, description }: Property): boolean {
  const wordsIn = (text: string) =>
    text
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join(' ');
  const text = wordsIn(description.replace(/^(?:The|An?) /, '').replace(/ of the record\.$/, ''));
  return [wordsIn(name), wordsIn(name.replace(/_id$/, ''))].includes(text);
}

describe('the description of a parameter', () => {
  test('says more than the name of the parameter', () => {
    expect(parameters.length).toBeGreaterThan(2_000);
    const isEmpty = (parameter: Property) =>
      isRepeated(parameter) || /^(?:$|ID of the id\b)/.test(parameter.description);
    expect(problemOf(isEmpty, parameters)).toEqual([]);
  });

  test('names records by words of the glossary', () => {
    const NAMES_IN_CODE = /\b(?:faq|api|sla|pos|sms|hrm document|leaveapplication|knowledge|payroll entry)\b/;
    const isOdd = ({ description }: Property) => NAMES_IN_CODE.test(description.replaceAll(/`[^`]*`/g, ''));
    expect(problemOf(isOdd, parameters)).toEqual([]);
  });
});

describe('the descriptions of the API', () => {
  const all = [
    ...new Set(
      [...properties, ...parameters].map(({ description }) => description).concat(operations.map(({ own }) => own)),
    ),
  ];
  const matches = (form: RegExp) => all.filter((text) => form.test(text.replaceAll(/`[^`]*`/g, 'code')));

  test.each([
    ['booleans begin with "Whether"', /^True (?:for|if|to)\b/],
    ['null is in backticks', /\bnull\b/i],
    ['two sentences instead of a semicolon', /;/],
    ['a type is never called kind', /^Kind of/],
    ['URL instead of address', /\bAddress (?:for|of|to) (?:the|a) (?:badge|calendar|page|server|website)\b/],
  ])('have one form: %s', (_, otherForm) => {
    expect(all.length).toBeGreaterThan(3_000);
    expect(matches(otherForm)).toEqual([]);
  });
});

describe('the description of a property', () => {
  test('names the property before its default or condition', () => {
    const start = /^(?:A change awaits|An action|At|Defaults|False|How|If|In|It|Its|Requires?|What|When|Where|Which) /;
    expect(properties.length).toBeGreaterThan(5_000);
    expect(problemOf(({ description }) => start.test(description))).toEqual([]);
  });

  test('says more than the name of the property', () => {
    expect(problemOf(isRepeated)).toEqual([]);
  });

  test.each([
    ['a number', /^Number of (?:\w+s|each|entries|records)\b/, ['boolean', 'array']],
    ['a condition', /^Whether /, ['integer', 'number', 'array', 'object']],
    ['an ID', /^ID of /, ['boolean', 'integer', 'object']],
    ['a time', /^Time of (?:the )?\w+\.$/, ['boolean', 'integer', 'array', 'object']],
    ['an amount of money', /^Amount (?:in|with|without) /, ['boolean', 'integer', 'array']],
  ])('calls only a value of the same kind %s', (_, start, others) => {
    expect(problemOf((property) => start.test(property.description) && others.includes(property.type))).toEqual([]);
  });

  test('uses the word "ID" for IDs, except in filters', () => {
    const isReference = ({ name, isId }: Property) => isId && /_(?:ids?|by)$/.test(name);
    expect(properties.filter(isReference).length).toBeGreaterThan(1_000);
    expect(
      problemOf((property) => isReference(property) && !/^(?:IDs? of |Returns )/.test(property.description)),
    ).toEqual([]);
  });

  test('begins with "Whether" for a boolean, except for filters and constants', () => {
    const start = /^(?:Whether |Returns |Always `true`|`true` makes )/;
    expect(problemOf(({ type, description }) => type === 'boolean' && !start.test(description))).toEqual([]);
  });

  test('says "first day" or "last day" only for dates', () => {
    const start = /^(?:First|Last) day\b(?! of the (?:week|fiscal year))/;
    expect(problemOf(({ type, description }) => type !== 'string' && start.test(description))).toEqual([]);
  });

  test('speaks of `allowed_actions` only in a record that has them', () => {
    const contexts = new Set(properties.filter(({ name }) => name === 'allowed_actions').map(({ context }) => context));
    const isWrong = ({ context, description }: Property) =>
      description.includes('use an action from `allowed_actions`') && !contexts.has(context);
    expect(problemOf(isWrong)).toEqual([]);
  });
});
