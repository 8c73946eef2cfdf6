import { describe, expect, test } from '@jest/globals';
import { foreignFieldsIn, operationsOf, blockingReferences } from '@suite/chassis/declarations';
import { declaredServices } from '@suite/testing/declared';

const referring = declaredServices.flatMap(({ name, references = [] }) =>
  blockingReferences(references).map(({ noun, columns }) => ({ name, noun, columns })),
);
const owns = declaredServices.flatMap((service) => service.owns ?? []);

describe.each(owns)('a $noun', ({ noun, referrers }) => {
  test('is deleted only after a check in every service that stores its ID', () => {
    const [owner] = noun.split('.');
    const storing = referring.filter((each) => each.noun === noun && Object.keys(each.columns).length > 0);
    const others = storing.map(({ name }) => name).filter((name) => name !== owner);
    expect(referrers.toSorted()).toEqual([...new Set(others)].toSorted());
  });

  test('is deleted by an operation that checks those services', () => {
    const deleting = declaredServices
      .flatMap((service) => [...operationsOf(service)])
      .filter(([, one]) => one.deletes === noun);
    expect(deleting).toHaveLength(1);
  });
});

test('every kind of record that is kept while in use has an owner that checks its use', () => {
  const owned = new Set(owns.map(({ noun }) => noun));
  expect(referring.filter(({ noun }) => !owned.has(noun))).toEqual([]);
});

test('the service of each kind of record that a body names declares that kind', () => {
  const named = declaredServices.flatMap(({ name, references = [], ...service }) =>
    [...operationsOf({ name, ...service })].flatMap(([id, { body }]) =>
      (body ? foreignFieldsIn(body) : [])
        .filter(({ mark }) => !references.some(({ noun }) => noun === mark))
        .map(({ mark }) => `${id}: ${mark}`),
    ),
  );
  expect(named).toEqual([]);
});
